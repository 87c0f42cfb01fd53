/** Sends what clients would to the collector. */
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { unavailable } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';

export interface Body {
  path: string;
  headers: Record<string, string>;
  json: string;
  /** How many it holds. */
  events: number;
}

const compress = promisify(gzip);
const ATTEMPTS = 6;

/**
 * Sends until it is taken; a busy collector is asked again after the pause it names.
 *
 * @throws AppError `unavailable` when it is refused
 */
export async function send(
  baseUrl: string,
  { path, headers, json }: Body,
  { fetch, log }: Pick<Deps, 'fetch' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const body = await compress(json, { level: 1 });
  for (let attempt = 1; ; attempt++) {
    const url = new URL(path, baseUrl);
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
      if (signal.aborted || attempt === ATTEMPTS) throw error;
      return null;
    });
    const answer = await response?.text();
    if (response?.ok) return;
    if (attempt === ATTEMPTS || (response !== null && response.status < 500)) {
      throw unavailable(`Sample events were rejected by ${url.href}: ${response?.status} ${answer}`);
    }
    const pauseSec = Number(response?.headers.get('retry-after') ?? 0) || attempt;
    log.debug({ status: response?.status, attempt }, 'collector busy; resending sample events');
    await sleep(pauseSec * 1_000, null, { signal });
  }
}
