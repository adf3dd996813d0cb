// `node wire.ts`: checks the scripted model's wires by the official clients, those that are installed. Gemini's has none here:
// it is checked by gemini-cli itself.
import { openScratch } from '../support/scratch.ts';
import { startModel } from './support/start-model.ts';
import type { CheckWire } from './wire/check-wire.ts';

const clients: readonly { readonly package: string; readonly module: string }[] = [
  { package: 'openai', module: './wire/chat.ts' },
  { package: 'openai', module: './wire/responses.ts' },
  { package: '@anthropic-ai/sdk', module: './wire/messages.ts' },
];

using scratch = openScratch();
await using model = await startModel({
  profile: 'library',
  steps: 1,
  script: 'mix',
  workspace: scratch.path,
  latencyMs: 0,
});
let passed = 0;
let failed = 0;
for (const client of clients) {
  if (!isInstalled(client.package)) {
    process.stdout.write(`left out: ${client.module} needs ${client.package}, which is not installed\n`);
    continue;
  }
  const { check }: { check: CheckWire } = await import(client.module);
  for await (const { title, isRight } of check(`http://127.0.0.1:${model.port}`, scratch.path)) {
    process.stdout.write(`${isRight ? 'ok' : 'NOT OK'} ${title}\n`);
    if (isRight) passed++;
    else failed++;
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
