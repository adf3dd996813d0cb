// Chooses what the engine process sees of the environment the desktop started the app with: what finds the person's files
// and programs. Keys and switches of other programs stay behind; secrets reach the engine by message only.

const passedOn = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP'],
];

export function toEngineEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
