// From what a launch complained about to what a person can do: each symptom is one that machines are known to show. What is
// read from the system's settings only explains a failure that was seen; it never stands for a trial.
import type { HostFacts } from './host-facts.ts';

export interface Advice {
  readonly text: string;
  /** One line for a shell that does it; null where no line of this machine can. */
  readonly command: string | null;
}

/** What would help against `complaint`; null when it fits nothing that is known. */
export function advise(complaint: string, facts: HostFacts): Advice | null {
  return symptoms.find(({ matches }) => matches(complaint, facts))?.toAdvice(facts) ?? null;
}

/** The words of an advice, its command included. */
export function toAdviceText({ text, command }: Advice): string {
  return command === null ? text : `${text}: ${command}`;
}

interface Symptom {
  readonly matches: (complaint: string, facts: HostFacts) => boolean;
  readonly toAdvice: (facts: HostFacts) => Advice;
}

const isRefused = (complaint: string): boolean =>
  /operation not permitted|permission denied|no permissions to create/i.test(complaint);

/** The first that fits is told: one that names its cause stands before one that is guessed from the setting around it. */
const symptoms: readonly Symptom[] = [
  {
    matches: (complaint) => /can't mount proc|mount(ing)? .*\bproc\b.*(not permitted|denied)/i.test(complaint),
    toAdvice: () => ({
      text: 'The container hides parts of /proc, so that none of its own can be mounted: start it with an unmasked /proc (docker: --security-opt systempaths=unconfined)',
      command: null,
    }),
  },
  {
    matches: (complaint, { maxUserNamespaces }) =>
      /namespaces exceeded|no space left on device/i.test(complaint) ||
      (maxUserNamespaces === 0 && isAboutNamespaces(complaint)),
    toAdvice: ({ isRoot }) => ({
      text: 'The system grants no more user namespaces',
      command: asRoot('sysctl -w user.max_user_namespaces=15000', isRoot),
    }),
  },
  {
    matches: (complaint, { appArmorRestrictsNamespaces, isRoot }) =>
      appArmorRestrictsNamespaces && !isRoot && (isRefused(complaint) || /RTM_NEWADDR/.test(complaint)),
    toAdvice: ({ isRoot }) => ({
      text: 'AppArmor keeps ordinary users from making namespaces: a profile can permit it to bwrap, and to perl, which prepares what bwrap encloses',
      command: asRoot(`sh -c '${appArmorProfile}'`, isRoot),
    }),
  },
  {
    matches: (complaint, { permitsUserNamespaces }) => permitsUserNamespaces === false && isAboutNamespaces(complaint),
    toAdvice: ({ isRoot }) => ({
      text: 'The system keeps ordinary users from making namespaces',
      command: asRoot('sysctl -w kernel.unprivileged_userns_clone=1', isRoot),
    }),
  },
  {
    matches: (complaint, { isContainer }) => isContainer && isRefused(complaint),
    toAdvice: () => ({
      text: 'The container keeps its processes from making namespaces: start it so that they may (docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined)',
      command: null,
    }),
  },
  {
    matches: (complaint) => /landlock.*function not implemented/i.test(complaint),
    toAdvice: () => ({ text: 'Landlock needs Linux 6.12 or newer, under a root engine 6.2', command: null }),
  },
  {
    matches: (complaint) => /landlock.*operation not supported/i.test(complaint),
    toAdvice: () => ({
      text: 'Landlock is built into this kernel and not switched on: add it to the boot parameter lsm=',
      command: null,
    }),
  },
];

function isAboutNamespaces(complaint: string): boolean {
  return isRefused(complaint) || /namespace|unshare|uid_map|uid map/i.test(complaint);
}

/** No single quote may stand in it. */
const appArmorProfile =
  'printf "abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile io-studio-sandbox /usr/bin/{bwrap,perl} flags=(unconfined) {\\n  userns,\\n}\\n" > /etc/apparmor.d/io-studio-sandbox && apparmor_parser -r /etc/apparmor.d/io-studio-sandbox';

function asRoot(command: string, isRoot: boolean): string {
  return isRoot ? command : `sudo ${command}`;
}
