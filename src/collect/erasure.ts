/**
 * Erases personal data that ingestion keeps: examples of warnings, visits of cookieless visitors (before they expire),
 * and requests that wait to be forwarded.
 */
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { decode } from './decode.ts';
import { isObject, openEnvelope } from './envelope.ts';

/** Takes these ids out of everything that intake keeps; the warnings themselves still count. Gives rows by table. */
export async function eraseTraces(
  on: Queryable,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Record<'ingestion_warnings' | 'cookieless_sessions', number>> {
  const ids = sql`any(${[...distinctIds]}::text[])`;
  const warnings = await query(
    on,
    sql`update ingestion_warnings set sample = '{}'
         where project_id = ${projectId} and (sample ->> 'distinct_id' = ${ids} or sample ->> 'detail' = ${ids})
        returning reason`,
  );
  const visits = await query(
    on,
    sql`delete from cookieless_sessions where project_id = ${projectId} and visitor = ${ids} returning session`,
  );
  return { ingestion_warnings: warnings.length, cookieless_sessions: visits.length };
}

/** A parsed request that waits for the upstream: the ids of its events, and the request without some of them. */
export interface OpenedRequest {
  token: string;
  /** Ids that each event names. */
  ids: string[][];
  /** Null when nothing is left. */
  without(gone: readonly boolean[]): ForwardRequest | null;
}

/** Null for what cannot be read: it was taken all the same, so it holds no event. */
export async function openRequest(request: ForwardRequest): Promise<OpenedRequest | null> {
  const { path, headers, body } = request;
  const url = new URL(path, 'http://upstream');
  const param = (name: string) => url.searchParams.get(name) ?? undefined;
  const bearer = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  try {
    const { value } = await decode({
      body: Buffer.from(body),
      data: param('data'),
      compression: param('compression'),
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
    });
    const { token, events } = openEnvelope(value, { token: bearer ?? param('token') ?? param('api_key') });
    return {
      token,
      ids: events.map(idsOf),
      without(gone) {
        const left = events.filter((_, at) => !gone[at]);
        if (left.length === 0) return null;
        const rest = isObject(value) ? { ...value, batch: left } : left;
        return rewritten(request, url, JSON.stringify(rest));
      },
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The same request with another body, as plain JSON. */
function rewritten(request: ForwardRequest, url: URL, text: string): ForwardRequest {
  for (const name of ['data', 'compression']) url.searchParams.delete(name);
  const { 'content-encoding': _, ...headers } = request.headers;
  return {
    ...request,
    method: 'POST',
    path: url.pathname + url.search,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(text),
  };
}

const ID_NAMES = ['distinct_id', '$distinct_id', '$anon_distinct_id', 'alias'];

function idsOf(event: JsonValue): string[] {
  if (!isObject(event)) return [];
  const properties = isObject(event['properties']) ? event['properties'] : {};
  const named = ID_NAMES.flatMap((name) => [event[name], properties[name]]);
  return named.filter((id) => typeof id === 'string' || typeof id === 'number').map(String);
}
