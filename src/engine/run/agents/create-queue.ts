// Has pieces of work done one after the other, in the order in which they come; one that fails does not stop the next.

export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
