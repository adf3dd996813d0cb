// matchesSchema: the file holds JSON that the schema accepts. A schema that cannot be used leaves the question open; it
// is the contract's fault, not the file's. `format` is an annotation, as the drafts have it.
import type { LeafVerification } from '../../shared/verification.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { toReport } from './report.ts';
import { reportUnread } from './report-unread.ts';

const maxProblems = 20;

export async function checkMatchesSchema(
  { file, schema }: Extract<LeafVerification, { kind: 'matchesSchema' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const validator = await compileSchema(schema);
  if (validator.kind === 'unusable') return toReport('notEvaluated', `The schema cannot be used: ${validator.reason}.`);
  const read = await context.readFile(file);
  if (read.kind !== 'file') return reportUnread(file, read);
  const parsed = parseJson(read.file.bytes);
  if (parsed.kind === 'invalid') return toReport('notMet', `${file} is not JSON: ${parsed.reason}.`);
  const problems = validator.validate(parsed.value);
  if (problems.length === 0) return toReport('met', `${file} matches the schema.`);
  const summary = `${file} does not match the schema: ${problems[0]}.`;
  return toReport('notMet', summary, {
    text: [summary, ...problems.slice(1, maxProblems)].join('\n'),
    isolation: null,
  });
}

type Validator =
  | { readonly kind: 'usable'; readonly validate: (value: unknown) => string[] }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Loads the validator only when a contract asks for it. */
async function compileSchema(schema: Readonly<Record<string, unknown>>): Promise<Validator> {
  if (schema.$async !== undefined) return { kind: 'unusable', reason: 'it is asynchronous' };
  try {
    const ajv = await createAjv(schema.$schema);
    if (ajv === null) return { kind: 'unusable', reason: `its dialect ${JSON.stringify(schema.$schema)} is not known` };
    const validate = ajv.compile(schema);
    return {
      kind: 'usable',
      validate: (value) =>
        validate(value) === true
          ? []
          : (validate.errors ?? []).map(
              (error) => `${error.instancePath || '(top)'} ${error.message ?? error.keyword}`,
            ),
    };
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function createAjv(dialect: unknown) {
  const options = { strict: false, allErrors: true, logger: false, validateFormats: false } as const;
  if (dialect === undefined || isDialect(dialect, '2020-12/schema')) {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    return new Ajv2020(options);
  }
  if (!isDialect(dialect, 'draft-07/schema')) return null;
  const { Ajv } = await import('ajv');
  return new Ajv(options);
}

function isDialect(dialect: unknown, name: string): boolean {
  return typeof dialect === 'string' && dialect.replace(/#$/, '').endsWith(name);
}

type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly reason: string };

function parseJson(bytes: Uint8Array): ParsedJson {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'invalid', reason: withPosition(error.message, bytes) };
    return { kind: 'invalid', reason: 'it is not valid UTF-8' };
  }
}

/** The one message that names no place is that of a text which ends too soon. */
function withPosition(message: string, bytes: Uint8Array): string {
  return message.includes('position') ? message : `${message} at position ${bytes.length}`;
}
