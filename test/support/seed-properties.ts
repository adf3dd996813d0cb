// Properties are tried on the same values in every run, so that a test that fails was broken by what was changed and fails again.
// Other values are looked for by `npm run torture`, or with IO_STUDIO_PROPERTY_SEED.
import fc from 'fast-check';

const committedSeed = 20_260_731;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: readSeed(process.env.IO_STUDIO_PROPERTY_SEED) });

/** A fault is told with its seed, also with one by chance. */
function readSeed(asked: string | undefined): number {
  if (asked === undefined || asked === '') return committedSeed;
  if (asked === 'random') return Math.floor(Math.random() * 0x7fff_ffff);
  const seed = Number(asked);
  if (!Number.isInteger(seed))
    throw new Error(`IO_STUDIO_PROPERTY_SEED is neither \`random\` nor a whole number: ${asked}`);
  return seed;
}
