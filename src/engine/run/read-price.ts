// What a model costs, from the home's `prices.jsonc`. An unknown price is "unpriced", never zero.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { EngineError } from '../../shared/engine-error.ts';
import { Price } from '../../shared/usage.ts';

const PriceTable = z.record(z.string(), Price);

/** The price of `model`, or null when the table does not name it. Throws `home-unusable` for a table that cannot be read. */
export function readPrice(home: string, model: string): Price | null {
  const file = join(home, 'prices.jsonc');
  const text = readIfThere(file);
  if (text === null) return null;
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) throw unreadable(file, `${printParseErrorCode(first.error)} at character ${first.offset}`);
  const table = PriceTable.safeParse(json);
  if (!table.success) throw unreadable(file, z.prettifyError(table.error));
  return Object.hasOwn(table.data, model) ? (table.data[model] ?? null) : null;
}

/** Throws `unpriced` when money is limited and nobody knows what the model costs. */
export function assertPriced(costUsd: number | null, price: Price | null, model: string, home: string): void {
  if (costUsd === null || price !== null) return;
  throw new EngineError('unpriced', `The contract limits costUsd, but the model "${model}" is unpriced.`, {
    remedy: `Add it to ${join(home, 'prices.jsonc')}, as {"${model}": {"inputPerMTok": …, "outputPerMTok": …}}, or leave the limit out.`,
  });
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

const unreadable = (file: string, reason: string): EngineError =>
  new EngineError('home-unusable', `The price table ${file} cannot be used: ${reason}`, {
    remedy: 'Make it readable for this user and correct what is wrong in it, or move it away.',
  });
