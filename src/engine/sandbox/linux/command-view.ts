/** What a command sees beside the system's directories and the directory it works in. */
export interface CommandView {
  /** PATH, HOME and whatever the toolchains need. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
}
