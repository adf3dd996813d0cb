// How a child process ended. Each case is a fact that was observed: a signal that nobody here sent stays a signal.

/** `timeout` and `cancelled` say that the whole tree was ended from here; `not-started` that no program ever ran. */
export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started'; readonly reason: string };
