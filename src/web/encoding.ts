/** Negotiates the compression of a response. */
import type { Request } from 'express';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** In our order of preference: of a page, zstd takes half of brotli's time for 3 % more bytes. */
const ours: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/** The best encoding that both the client and `available` know, or null. */
export function chooseEncoding<Available extends Encoding = Encoding>(
  req: Request,
  available: readonly Available[] = ours as readonly Available[],
): Available | null {
  const accepted = new Map<string, boolean>();
  for (const entry of (req.get('accept-encoding') ?? '').toLowerCase().split(',')) {
    const [name = '', ...options] = entry.split(';').map((text) => text.trim());
    accepted.set(name, !options.some((option) => /^q=0(\.0*)?$/.test(option)));
  }
  return available.find((encoding) => accepted.get(encoding) ?? accepted.get('*') ?? false) ?? null;
}
