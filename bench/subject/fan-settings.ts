// What a measured process with many agents is told: the same for the floor and for the engine.
import { z } from 'zod';

export const FanSettings = z.strictObject({
  url: z.url(),
  agents: z.int().positive(),
  /** Of each of them. */
  steps: z.int().positive(),
  workspace: z.string(),
  /** Directory for whatever has to be durable. */
  home: z.string(),
});
export type FanSettings = z.infer<typeof FanSettings>;

/** The settings of this process: its one argument, as JSON. */
export const readFanSettings = (): FanSettings => FanSettings.parse(JSON.parse(process.argv[2] ?? ''));

/** Tells whoever started this process how much memory it has held at most. */
export function writePeak(): void {
  process.stdout.write(`${JSON.stringify({ peakMiB: process.resourceUsage().maxRSS / 1024 })}\n`);
}
