// What a scripted model answers. A script is looked up by how many assistant messages a request holds, so the same
// request always gets the same answer: a run that was killed and asks again goes on as if it had not been.

export interface ScriptedCall {
  /** A call without an id gets one from its place in the conversation. */
  readonly id?: string;
  readonly tool: string;
  /** An object is sent as its JSON text; a string is sent as it is. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

export type ScriptedFault =
  /** An HTTP error; `retryAfter` becomes the header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  /** Headers, then nothing. */
  | { readonly kind: 'stall-after-headers' }
  /** The first event with content, then nothing. */
  | { readonly kind: 'stall-after-first-delta' }
  /** The first event with content, then a destroyed socket. */
  | { readonly kind: 'cut' }
  /** The stream ends in good order, but before the reply is whole. */
  | { readonly kind: 'early-end' }
  /** Comments that keep the connection open, and never an event. */
  | { readonly kind: 'pings-only'; readonly everyMs: number }
  /** The stream in pieces of one byte: every character of more than one byte is split. */
  | { readonly kind: 'split-bytes' }
  | { readonly kind: 'invalid-utf8' }
  | { readonly kind: 'malformed-event' }
  /** An error object in place of an event, after the first one with content. */
  | { readonly kind: 'error-event'; readonly error: unknown }
  | { readonly kind: 'html-page'; readonly status?: number }
  /** One line of this many bytes. */
  | { readonly kind: 'long-line'; readonly bytes: number }
  /** A body of another kind. */
  | { readonly kind: 'other-body'; readonly contentType: string; readonly body: string }
  /** Status 401 with the authorization header in the message. */
  | { readonly kind: 'echo-key' }
  /** The whole reply, then a connection that is never ended. */
  | { readonly kind: 'never-end' };

export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** What the wire says; by default what the reply amounts to. */
  readonly finishReason?: string;
  /** By default counted from the text; null: none is reported. */
  readonly usage?: { readonly prompt: number; readonly completion: number; readonly cached?: number } | null;
  /** Before the first byte of the answer. */
  readonly delayMs?: number;
  /** The answer begins when this is settled. */
  readonly after?: Promise<unknown>;
  /** Between two events. */
  readonly eventDelayMs?: number;
  readonly fault?: ScriptedFault;
  /** Only the first so many requests for this reply meet the fault; by default all do. */
  readonly faultTimes?: number;
}

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
}

export interface ScriptedRequest {
  readonly messages: readonly WireMessage[];
  /** How many replies the conversation holds already. */
  readonly position: number;
  /** How often this very reply was asked for before. */
  readonly repeats: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A list of replies by position, or a function that answers a request. */
export type Script = readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply | undefined);

/** The reply for `request`; undefined when the script has none. */
export function findScriptedReply(script: Script, request: ScriptedRequest): ScriptedReply | undefined {
  return typeof script === 'function' ? script(request) : script[request.position];
}
