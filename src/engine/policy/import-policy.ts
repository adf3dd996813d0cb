// Recognises whose permission settings a file holds, and turns them into a policy.
import { getNodeValue } from 'jsonc-parser';
import { z } from 'zod';
import { EngineError } from '../../shared/engine-error.ts';
import { ClaudeSettings, importClaudeSettings } from './import-claude-settings.ts';
import { importOpencodeSettings, OpencodeSettings } from './import-opencode-settings.ts';
import { parseShape } from './parse-shape.ts';
import type { PolicyImport } from './policy-import.ts';
import { readJsoncTree } from './read-jsonc-tree.ts';

/** Throws `policy-invalid` for what is neither, or is malformed. */
export function importPolicy(text: string, file: string): PolicyImport {
  const tree = readJsoncTree(text);
  if (tree.kind === 'unreadable') throw toError(`The file ${file} ${tree.reason}.`);
  if (tree.problems.length > 0) throw toError(`In ${file} a key is there twice: ${tree.problems[0]?.path.join('.')}.`);
  const settings = z.record(z.string(), z.unknown()).safeParse(getNodeValue(tree.root));
  const keys = settings.success ? Object.keys(settings.data) : [];
  if (keys.includes('permissions')) return importClaudeSettings(parse(ClaudeSettings, settings.data, file));
  if (keys.includes('permission') || keys.includes('tools'))
    return importOpencodeSettings(parse(OpencodeSettings, settings.data, file));
  throw toError(`The file ${file} holds no permissions: neither \`permissions\` nor \`permission\` is a key of it.`);
}

function parse<Settings>(schema: z.ZodType<Settings>, value: unknown, file: string): Settings {
  const parsed = parseShape(schema, value);
  if (parsed?.success) return parsed.data;
  throw toError(`The permissions in ${file} cannot be read: ${toWords(parsed?.error.issues ?? [])}`);
}

const maxShownIssues = 10;

/** None are given where they are too many for any list. */
function toWords(issues: readonly z.core.$ZodIssue[]): string {
  if (issues.length === 0) return 'they hold too many faults to tell one from another.';
  const words = z.prettifyError({ issues: issues.slice(0, maxShownIssues) });
  return issues.length > maxShownIssues ? `${words}\nand ${issues.length - maxShownIssues} more` : words;
}

function toError(message: string): EngineError {
  return new EngineError('policy-invalid', message, {
    remedy: 'Name Claude-style or opencode settings, as their own tool reads them.',
  });
}
