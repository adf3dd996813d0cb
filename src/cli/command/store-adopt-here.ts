// `io-studio store adopt-here`: after a home was copied or restored, the word that its original is no longer used.
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

export async function storeAdoptHereCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  if (positionals.length > 0) throw usage('"io-studio store adopt-here" takes no argument.');
  return withEngine(values.home, async (engine) => {
    await engine.adoptStore();
    writeLines(
      values.json
        ? [JSON.stringify({ home: engine.home, adopted: true })]
        : [`The runs of ${engine.home} are driven from here now. Never drive those of the original again.`],
    );
    return 0;
  });
}
