// Which of the known subjects are measured: those that are named, or all that are installed here.

export interface ChooseOptions<Subject> {
  readonly known: Readonly<Record<string, Subject>>;
  readonly names: readonly string[];
  isInstalled(subject: Subject): boolean;
}

/** Ends the process with what to do when a name is unknown or its packages are not there. */
export function choose<Subject>({ known, names, isInstalled }: ChooseOptions<Subject>): [string, Subject][] {
  if (names.length === 0) return Object.entries(known).filter(([, subject]) => isInstalled(subject));
  return names.map((name) => {
    const subject = known[name];
    if (subject === undefined) fail(`There is no "${name}"; there are ${Object.keys(known).join(', ')}.`);
    if (!isInstalled(subject)) fail(`"${name}" is not installed: run "npm ci" in ${import.meta.dirname}/.. first.`);
    return [name, subject];
  });
}

/** A whole number above 0 out of an option. */
export function parseCount(text: string, option: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count <= 0) fail(`--${option} takes a whole number above 0, not "${text}".`);
  return count;
}

export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
