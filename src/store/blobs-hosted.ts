/** Parts of files as objects in the hosted backend's storage, in a private bucket. */
import type { Config } from '#src/config.ts';
import { notFound, unavailable } from '#src/kit/errors.ts';
import type { PieceKey, Pieces } from './pieces.ts';

const BUCKET = 'luneta-exports';
const MAX_MS = 60_000;
const MANY = 100;

export interface HostedDeps {
  fetch: typeof globalThis.fetch;
  config: Partial<Pick<Config, 'PUBLIC_SUPABASE_URL' | 'SUPABASE_SERVICE_ROLE_KEY'>>;
}

/** Null without its address and key. */
export function createHostedPieces({ config, fetch }: HostedDeps): Pieces | null {
  const { PUBLIC_SUPABASE_URL: address, SUPABASE_SERVICE_ROLE_KEY: key } = config;
  if (address === undefined || key === undefined) return null;
  const base = `${address.replace(/\/+$/, '')}/storage/v1`;
  let bucket: Promise<void> | null = null;

  async function call(method: string, path: string, body?: string | Buffer): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, apikey: key as string };
    if (body !== undefined) {
      headers['Content-Type'] = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
    }
    // A piece may have been put already by a work that was cut short.
    if (method === 'POST') headers['x-upsert'] = 'true';
    try {
      return await fetch(`${base}${path}`, {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(MAX_MS),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      });
    } catch (cause) {
      throw unavailable('The hosted storage isn’t responding.', 30, cause);
    }
  }

  /** Makes the bucket if need be; a refusal (it is there) shows when something is put. */
  function ready(): Promise<void> {
    bucket ??= call('POST', '/bucket', JSON.stringify({ id: BUCKET, name: BUCKET, public: false })).then(
      async (answer) => void (await answer.arrayBuffer()),
      (error: unknown) => {
        bucket = null;
        throw error;
      },
    );
    return bucket;
  }

  return {
    async put(piece, bytes) {
      await ready();
      const answer = await call('POST', `/object/${BUCKET}/${pathOf(piece)}`, bytes);
      await answer.arrayBuffer();
      if (!answer.ok) throw refused(answer);
    },
    async get(piece) {
      const answer = await call('GET', `/object/${BUCKET}/${pathOf(piece)}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.ok) return bytes;
      throw answer.status === 404 || answer.status === 400 ? notFound('file') : refused(answer);
    },
    async remove(projectId, blob, count) {
      for (let first = 0; first < count; first += MANY) {
        const length = Math.min(MANY, count - first);
        const prefixes = Array.from({ length }, (_, at) => pathOf({ projectId, blob, number: first + at }));
        const answer = await call('DELETE', `/object/${BUCKET}`, JSON.stringify({ prefixes }));
        await answer.arrayBuffer();
        if (!answer.ok && answer.status !== 404) throw refused(answer);
      }
    },
  };
}

function pathOf({ projectId, blob, number }: PieceKey): string {
  return `${projectId}/${blob}/${String(number).padStart(6, '0')}`;
}

/** Its words are not passed on: they may repeat what was sent. */
function refused({ status }: Response) {
  return unavailable(`The hosted storage responded with ${status}.`, 60);
}
