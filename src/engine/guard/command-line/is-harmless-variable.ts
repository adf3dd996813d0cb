// Which variables may be set without making everything after it uncertain. Programs and the shell itself act on far more
// names than anybody can list, so what is harmless is listed, and everything else is asked about.

const harmlessForPrograms =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|SOURCE_DATE_EPOCH)$/;

/** A variable that a program is given: a name and a value with which it does nothing but show things differently. */
export function isHarmlessForPrograms(name: string, value: string): boolean {
  return harmlessForPrograms.test(name) && /^(?:[\w.,:@+=-][\w.,:@+=/-]*)?$/.test(value) && !value.includes('..');
}

/** Names in small letters that programs read all the same when they are exported already. */
const proxyNames = /^(?:http|https|ftp|all|no)_proxy$/;

/** A variable of the shell alone: programs do not see it, and the shell gives it no meaning. */
export function isHarmlessForShell(name: string): boolean {
  return (/^[a-z][a-z0-9_]*$/.test(name) && !proxyNames.test(name)) || harmlessForPrograms.test(name);
}
