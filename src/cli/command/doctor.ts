// `io-studio doctor`: what this machine can enclose commands by, found out by trying. Changes nothing.
import { toDoctorLines } from '../doctor-lines.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

/** The exit code of a run that finds no sandbox. */
const notIsolated = 7;

export async function doctorCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  if (positionals.length > 0) throw usage('"io-studio doctor" takes no argument.');
  return withEngine(values.home, async (engine) => {
    const report = await engine.inspectSandbox();
    writeLines(values.json ? [JSON.stringify(report)] : toDoctorLines(report));
    return report.isIsolated ? 0 : notIsolated;
  });
}
