/** What a page tells the browser about its queries (views/wire.ts). */

export interface PageMessage {
  /** Key of a query, with its data, or with its hash when a value follows under that. */
  k?: unknown;
  h?: string;
  d?: unknown;
  /** Why it failed; why nothing more follows. */
  e?: string;
  z?: string;
  /** Boot values. */
  b?: unknown;
}

interface Dehydrated {
  queryKey: unknown;
  queryHash: string;
  state: { status: string; data?: unknown };
}

/** In order: those of the first bytes, then the late ones. */
export function messagesOf(html: string): PageMessage[] {
  const first = /self\.__q=(\[\[.*?\]\])<\/script>/s.exec(html)?.[1] ?? '[[]]';
  const late = [...html.matchAll(/self\.__q\.push\((\[.*?\])\)<\/script>/gs)].map(([, json]) => json ?? '[]');
  const sent = [...JSON.parse(first), ...late.map((json) => JSON.parse(json))].flat() as (PageMessage & {
    s?: { queries: Dehydrated[] };
  })[];
  return sent.flatMap(({ s, ...message }) => (s === undefined ? [message] : s.queries.map(messageOf)));
}

function messageOf({ queryKey: k, queryHash: h, state: { status, data: d } }: Dehydrated): PageMessage {
  return status === 'success' ? { k, d } : { k, h };
}
