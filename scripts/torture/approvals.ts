// A hundred questions of one reply, and two processes of which either is killed at any moment.
import { answerMany, type ManyAnswered } from '../../test/support/answer-many.ts';
import type { TortureRow } from './torture.ts';

const questions = 100;
const kills = 6;

export async function tortureApprovals(rounds: number): Promise<readonly TortureRow[]> {
  const counted: ManyAnswered[] = [];
  for (let seed = 1; seed <= rounds; seed++) {
    counted.push(await answerMany({ seed, questions, kills }));
    process.stderr.write(`approvals, round ${seed} of ${rounds}: ${JSON.stringify(counted.at(-1))}\n`);
  }
  const sum = (name: keyof ManyAnswered): number => counted.reduce((total, round) => total + round[name], 0);
  const row = (text: string, count: number): TortureRow => ({ counted: text, count, isFault: false });
  const fault = (text: string, count: number): TortureRow => ({ counted: text, count, isFault: true });
  return [
    row(`Rounds, each with ${questions} questions at once and ${kills} kills`, rounds),
    row('Processes killed with SIGKILL (driver or answerer)', sum('kills')),
    row('Answers in the journal', sum('answered')),
    row('of these approvals', sum('approved')),
    row('Approvals that lapsed, and were asked for again', sum('lapsed')),
    fault('Approvals that started two acts', sum('startedTwice')),
    fault('Acts started without an approval', sum('startedUnasked')),
    fault('Confirmed answers that were lost', sum('lost')),
    fault('Files that say something else than the answers', sum('wrongFiles')),
  ];
}
