// Is this address the machine itself? Asked before a proxy is used and before a key is sent without encryption, so only
// addresses and the one reserved name count, never a name that a resolver could send elsewhere.

/** Whether the URL's host is `localhost`, in 127.0.0.0/8, or `::1`. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
}
