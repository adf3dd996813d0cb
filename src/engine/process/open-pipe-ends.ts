// Our ends of pipes that another process has made, opened by their places in /proc: a descriptor cannot be handed to Node.
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface PipeEnd {
  /** A link to it, below `/proc/PID/fd`. */
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** An open end. It does its own part alone: what is written to one for reading is refused. */
export interface OpenPipeEnd extends Duplex {
  ref(): unknown;
  /** This process may end while it is open. */
  unref(): unknown;
}

/**
 * All of them or none; each is being read from now on. Throws what the system says. Call it while the other process holds
 * both ends of each: one to write to cannot be opened when nobody reads it.
 */
export function openPipeEnds(ends: readonly PipeEnd[]): OpenPipeEnd[] {
  const opened: number[] = [];
  try {
    for (const { path, access } of ends) opened.push(openSync(path, flags[access]));
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
  return opened.map((fd, place) => {
    const isReadable = ends[place]?.access === 'read';
    return new Socket({ fd, readable: isReadable, writable: !isReadable });
  });
}

const flags = {
  read: constants.O_RDONLY | constants.O_NONBLOCK,
  write: constants.O_WRONLY | constants.O_NONBLOCK,
};
