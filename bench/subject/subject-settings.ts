// What a measured process is told: the same for the floor and for the engine.
import { z } from 'zod';

export const SubjectSettings = z.strictObject({
  /** The model server of the run that is measured. */
  url: z.url(),
  task: z.string(),
  workspace: z.string(),
  /** Directory for whatever has to be durable. */
  home: z.string(),
  /** Other runs that stream in the same process until the measured one has ended. */
  others: z.strictObject({ url: z.url(), task: z.string(), workspaces: z.array(z.string()) }),
});
export type SubjectSettings = z.infer<typeof SubjectSettings>;

/** The settings of this process: its one argument, as JSON. */
export function readSubjectSettings(): SubjectSettings {
  return SubjectSettings.parse(JSON.parse(process.argv[2] ?? ''));
}
