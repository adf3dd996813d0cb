// What many agents at once cost: one run whose root spawns them all, against so many bare durable loops in one process. The
// model answers at once. Time runs from the first request to the last answer, memory is the largest that the kernel has seen.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import type { FanSettings } from '../subject/fan-settings.ts';
import { atMost, atMostTimes, type Measure } from '../support/figure.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { openScratch } from '../support/scratch.ts';
import { startNode, toEnd } from '../support/start-node.ts';
import { median } from '../support/statistics.ts';

const rounds = 5;
const hundred = { agents: 100, steps: 5 };
const hundredShort = { agents: 100, steps: 3 };
const thousand = { agents: 1000, steps: 3 };

type Size = Pick<FanSettings, 'agents' | 'steps'>;
type Subject = 'fan-floor' | 'fan-engine';

export const fanout: Measure = {
  name: 'fanout',
  title: 'Many agents at once, in one run',
  async run() {
    await using model = await startModelServer();
    const take = (subject: Subject, size: Size) => takeFan(model, subject, size);
    await take('fan-engine', hundredShort); // Fills the compile cache of Node.
    const taken = { floor: [], ours: [], floorLarge: [], oursLarge: [], oursShort: [] } satisfies Record<string, Fan[]>;
    const keep = async (list: Fan[], subject: Subject, size: Size) => void list.push(await take(subject, size));
    for (let round = 0; round < rounds; round++) {
      await keep(taken.floor, 'fan-floor', hundred);
      await keep(taken.ours, 'fan-engine', hundred);
      await keep(taken.oursShort, 'fan-engine', hundredShort);
      await keep(taken.floorLarge, 'fan-floor', thousand);
      await keep(taken.oursLarge, 'fan-engine', thousand);
    }
    const { floor, ours, floorLarge, oursLarge, oursShort } = taken;
    const perAgentS = (fans: readonly Fan[], { agents }: Size) => toSeconds(fans) / agents;
    const grown = (toPeak(oursLarge) - toPeak(oursShort)) / (thousand.agents - hundredShort.agents);
    return [
      atMostTimes(1.4, { label: '100 agents x 5 steps', unit: 's', floor: toSeconds(floor), ours: toSeconds(ours) }),
      atMost(250, { label: 'memory, 100 agents', unit: 'MiB', floor: toPeak(floor), ours: toPeak(ours) }),
      atMostTimes(1.4, {
        label: '1,000 agents x 3 steps',
        unit: 's',
        floor: toSeconds(floorLarge),
        ours: toSeconds(oursLarge),
      }),
      atMost(1.5, { label: 'memory of one agent more, 100 to 1,000', unit: 'MiB', ours: grown }),
      atMost(1.3, {
        label: 'time an agent, of 1,000 beside of 100',
        unit: 'ratio',
        ours: perAgentS(oursLarge, thousand) / perAgentS(oursShort, hundredShort),
      }),
    ];
  },
};

interface Fan {
  readonly seconds: number;
  readonly peakMiB: number;
}

const toSeconds = (fans: readonly Fan[]): number => median(fans.map(({ seconds }) => seconds));
const toPeak = (fans: readonly Fan[]): number => median(fans.map(({ peakMiB }) => peakMiB));

const Report = z.object({ peakMiB: z.number() });

async function takeFan(model: ModelServer, subject: Subject, size: Size): Promise<Fan> {
  using scratch = openScratch();
  const home = join(scratch.path, 'home');
  mkdirSync(home);
  const settings: FanSettings = { url: model.url, workspace: scratch.createWorkspace('work'), home, ...size };
  const { result, requests } = await model.recordRequests(async () => {
    const script = join(import.meta.dirname, `../subject/${subject}.ts`);
    const child = startNode(script, [JSON.stringify(settings)], { stdout: 'pipe' });
    const [report] = await Promise.all([
      readReport(createInterface({ input: child.stdout ?? process.stdin })),
      toEnd(child),
    ]);
    return report;
  });
  const first = Math.min(...requests.map(({ arrivedAt }) => arrivedAt));
  const last = Math.max(...requests.map(({ finishedAt }) => finishedAt));
  return { seconds: (last - first) / 1000, peakMiB: result.peakMiB };
}

async function readReport(lines: AsyncIterable<string>): Promise<z.infer<typeof Report>> {
  for await (const line of lines) return Report.parse(JSON.parse(line));
  throw new Error('It ended without a report');
}
