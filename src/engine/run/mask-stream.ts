// Masks the engine's own secrets in text that arrives in pieces: live text never passes the journal, so it would not be
// masked there. What could be the beginning of a secret is held back until the next piece tells.

export interface StreamMask {
  /** The part of the text so far that is safe to show. */
  push(piece: string): string;
  /** What was held back, when nothing more comes. */
  end(): string;
}

export function createStreamMask(secrets: readonly string[]): StreamMask {
  let held = '';
  return {
    push(piece) {
      const text = secrets.reduce((masked, secret) => masked.replaceAll(secret, '[redacted]'), held + piece);
      const keep = Math.max(0, ...secrets.map((secret) => overlap(text, secret)));
      held = text.slice(text.length - keep);
      return text.slice(0, text.length - keep);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** How many characters at the end of `text` are the beginning of `secret`. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (secret.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
