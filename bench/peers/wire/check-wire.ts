// The check of one wire by the client that its makers give.

export interface WireFinding {
  /** What ought to be so. */
  readonly title: string;
  readonly isRight: boolean;
}

/** `url` is that of the scripted model without a path; `workspace` the one its calls are about. */
export type CheckWire = (url: string, workspace: string) => AsyncIterable<WireFinding>;

export const userText = 'CONV-wire Do the scripted task.';

export const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

/** Whether the arguments of a call, as text, are about the file that the model reads. */
export const isAboutInput = (text: string | undefined, workspace: string): boolean =>
  text !== undefined && JSON.parse(text).path === `${workspace}/input.txt`;
