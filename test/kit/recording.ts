/** Recordings as they are stored, without a browser that made them. */
import { zstdCompressSync } from 'node:zlib';

export interface StoredRecording {
  project: number;
  session: string;
  distinctId: string;
  /** ms */
  at: number;
  seconds: number;
  errors?: number;
  urls?: string[];
  /** Of one window; absent: an empty page. */
  events?: { type: number; data: object; timestamp: number }[];
}

interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export async function storeRecording(database: Database, recording: StoredRecording): Promise<void> {
  const { project, session, distinctId, at, seconds, errors = 0, urls = ['/'] } = recording;
  const week = Math.floor(at / (7 * 86_400_000));
  const of = [project, session, week];
  const times = [new Date(at).toISOString(), new Date(at + seconds * 1000).toISOString()];
  const { events = emptyPage(at) } = recording;
  const raw = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const body = zstdCompressSync(raw);
  await database.query(
    `insert into replay_sessions (project_id, session, week, first_at, last_at, received_at, skew_ms, distinct_id, distinct_ids,
       bytes, raw_bytes, active_ms, clicks, keys, errors, warns, network_errors, rage_clicks, pages, urls, windows, width, height,
       secret_fields, next_seq)
     values ($1, $2, $3, $4, $5, $5, 0, $6, array[$6], 100, 200, 5000, 3, 0, $7, 0, 0, 0, $8, $9, 1, 390, 844, '{}', 2)`,
    [...of, ...times, distinctId, errors, urls.length, urls],
  );
  await database.query(
    `create table if not exists replay_blocks_${week} partition of replay_blocks for values in (${week})`,
  );
  await database.query(
    `insert into replay_blocks (project_id, session, week, seq, window_id, from_at, to_at, has_full, packed, raw_length, length, body)
     values ($1, $2, $3, 1, 'tab', $4, $5, true, true, $6, $7, $8)`,
    [...of, ...times, raw.length, body.length, body],
  );
}

/** A page with a heading, 390 px wide. */
function emptyPage(at: number): StoredRecording['events'] & object {
  const heading = {
    type: 2,
    tagName: 'h1',
    attributes: {},
    childNodes: [{ type: 3, textContent: 'Loja', id: 6 }],
    id: 5,
  };
  const body = { type: 2, tagName: 'body', attributes: {}, childNodes: [heading], id: 4 };
  const head = { type: 2, tagName: 'head', attributes: {}, childNodes: [], id: 3 };
  const html = { type: 2, tagName: 'html', attributes: {}, childNodes: [head, body], id: 2 };
  const node = { type: 0, childNodes: [html], id: 1 };
  return [
    { type: 4, data: { href: 'https://shop.example/', width: 390, height: 844 }, timestamp: at },
    { type: 2, data: { node, initialOffset: { left: 0, top: 0 } }, timestamp: at + 1 },
  ];
}
