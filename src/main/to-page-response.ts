// Answers a request for `app://window/…` with a file of the built page. Only files inside the page's folder are served, and
// every answer carries the content security policy as a header, which the page cannot loosen.
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function toPageResponse(pageFolder: string, url: string): Promise<Response> {
  const file = resolvePageFile(pageFolder, url);
  const contentType = file === null ? undefined : contentTypes[extname(file)];
  if (file === null || contentType === undefined) return notFound();
  try {
    return new Response(await readFile(file), {
      headers: {
        'Content-Type': contentType,
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
      },
    });
  } catch {
    return notFound();
  }
}

/** Null for another host, for a path that cannot be decoded, and for one that leads out of the folder. */
function resolvePageFile(pageFolder: string, url: string): string | null {
  const { host, pathname } = new URL(url);
  if (host !== 'window') return null;
  try {
    const file = join(pageFolder, decodeURIComponent(pathname));
    return file.startsWith(pageFolder + sep) ? file : null;
  } catch {
    return null;
  }
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'Content-Security-Policy': contentSecurityPolicy } });
}
