// What an agent that goes round in a circle is told, and what is said of it when it goes on nevertheless.
import type { LoopKind } from '../../shared/loop-counts.ts';

const circles: Readonly<Record<LoopKind, string>> = {
  repeated: 'made the same call and got the same result',
  sleeps: 'let a command sleep',
  refusedSpawns: 'asked for an agent and were refused',
};

const ways: Readonly<Record<LoopKind, string>> = {
  repeated: 'It will not come out differently: look at something else, or say what is missing.',
  sleeps:
    'Do not wait like that: process_read waits for a process, wait_agents and read_messages for agents; a command tells its end by itself.',
  refusedSpawns: 'Do what is left to do yourself, or say what is missing.',
};

export function describeLoop(loop: LoopKind, count: number): string {
  return `You have ${circles[loop]} ${count} times in a row, and nothing has changed in between. ${ways[loop]} If you go on like that, your work ends here as not done.`;
}

export const describeStall = (loop: LoopKind, count: number): string =>
  `It went round in a circle: "${circles[loop]}" ${count} times in a row although it was told, and nothing changed in between.`;
