// Where a URL leads, as `host:port`. Only what names host and scheme beyond doubt has an address.

const ports: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
  'ftp:': 21,
  'ftps:': 990,
  'ssh:': 22,
  'git:': 9418,
  'sftp:': 22,
};

/** Null where the text is no URL, or one that may mean several. `git` also knows `user@host:path`. */
export function toAddress(text: string, dialect: 'url' | 'git' = 'url'): string | null {
  if (/[{}\s\\]|\[(?![\da-fA-F:.]+\])/.test(text) || text === '') return null;
  const [, sshHost] = (dialect === 'git' ? /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/|:)/.exec(text) : null) ?? [];
  if (sshHost !== undefined) return `${sshHost}:22`;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null;
  try {
    const { protocol, hostname, port } = new URL(text);
    const number = port === '' ? ports[protocol] : Number(port);
    // What `new URL` leaves of the port of a scheme it does not know is the whole of it.
    return number === undefined || hostname === '' ? null : `${hostname}:${number}`;
  } catch {
    return null;
  }
}
