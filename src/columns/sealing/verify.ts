/**
 * Holds everything that is derived from events against the rows: chunks by what their columns say, the visits they are made
 * of, and the counts of quarter hours. Reads one snapshot; what is marked as out of date is not expected to be right.
 */
import type { ClientBase } from 'pg';
import { onDroppedDay } from '#src/events/dropped.ts';
import { sealedEpoch } from '#src/events/sealing.ts';
import { dayMs } from '#src/kit/zone.ts';
import { copyOut, copyOutSteps } from '#src/store/copy-out.ts';
import { query, sql } from '#src/store/sql.ts';
import { chunkKinds } from '../contract.ts';
import type { Unit } from '../storage/chunk-sql.ts';
import * as queries from '../storage/chunk-sql.ts';
import { allColumns } from '../storage/column-sql.ts';
import { CopiedRows } from '../storage/copied-rows.ts';
import { type EncodedChunk, EventEncoder, encodeSessions, PROPERTY } from '../storage/encode.ts';
import { addFingerprints, RARE_PROPERTIES } from '../storage/fingerprint.ts';
import { eventRows, sessionRows } from '../storage/row-sql.ts';

export interface Verification {
  /** Rows held against their chunks. */
  events: number;
  visits: number;
  /** One sentence for each thing that is not as it should be, at most `MAX_FINDINGS`. */
  findings: string[];
}

const MAX_FINDINGS = 100;

/** @param client connected, without time limits @param onProgress called after each unit */
export async function verify(
  client: ClientBase,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<Verification> {
  const found: Verification = { events: 0, visits: 0, findings: [] };
  await client.query('begin transaction isolation level repeatable read read only');
  try {
    const sealed = await sealedEpoch(client);
    const stale = new Set((await queries.allStaleUnits(client)).map(keyOf));
    const units = (await unitsOf(client, sealed)).filter((unit) => !stale.has(keyOf(unit)));
    for (const [at, unit] of units.entries()) {
      if (unit.kind === chunkKinds.events) await verifyDay(client, unit, sealed, found);
      else await verifyBlock(client, unit, sealed, found);
      onProgress(at + 1, units.length);
    }
    await verifyVisits(client, found);
    await verifyCounts(client, found);
  } finally {
    await client.query('commit');
  }
  found.findings.splice(MAX_FINDINGS);
  return found;
}

/** Units with chunks or sealed rows. Rows of dropped days are not here. */
async function unitsOf(client: ClientBase, sealed: number): Promise<Unit[]> {
  return query(
    client,
    sql`select project_id as "projectId", kind, unit from (
          select project_id, kind, unit from chunks group by 1, 2, 3
          union
          select project_id, ${chunkKinds.events}::smallint, floor(extract(epoch from ts) / 86400)::int
            from events where epoch <= ${sealed} group by 1, 3
        ) as units
         where kind <> ${chunkKinds.events}::smallint or not exists (
           select from dropped_days as dropped where dropped.project_id = units.project_id and dropped.day = units.unit)
         order by 1, 2, 3`,
  );
}

async function verifyDay(client: ClientBase, day: Unit, sealed: number, found: Verification): Promise<void> {
  const { projectId, unit } = day;
  const span = { from: unit * dayMs, until: (unit + 1) * dayMs };
  const encoder = new EventEncoder();
  const rows = eventRows({ projectId, span, upTo: sealed, properties: 'all' });
  await copyOutSteps(client, rows, async (pieces) => encoder.add(Buffer.concat(pieces)));
  const wanted = encoder.finish();
  const stored = await chunksOf(client, day);
  found.events += countOf(wanted);
  compare(`project ${projectId}, ${new Date(span.from).toISOString().slice(0, 10)}`, stored, wanted, 'ts', found);
}

/** Visits go on changing while they are sealed: only blocks without events that are not sealed yet are compared. */
async function verifyBlock(client: ClientBase, block: Unit, sealed: number, found: Verification): Promise<void> {
  const { projectId, unit } = block;
  const [open] = await query(
    client,
    sql`select 1 from events
         where project_id = ${projectId} and epoch > ${sealed}
           and session_id >= ${unit * queries.SESSION_BLOCK} and session_id < ${(unit + 1) * queries.SESSION_BLOCK}
         limit 1`,
  );
  if (open) return;
  const chunk = encodeSessions(await copyOut(client, sessionRows(projectId, { block: unit })));
  const wanted = chunk === null ? [] : [chunk];
  found.visits += countOf(wanted);
  compare(
    `project ${projectId}, visits from ${unit * queries.SESSION_BLOCK}`,
    await chunksOf(client, block),
    wanted,
    'id',
    found,
  );
}

interface StoredChunk extends Pick<EncodedChunk, 'rows' | 'rare' | 'columns'> {
  /** Null: written by an earlier version, without rare properties. */
  packedBits: number | null;
}

async function chunksOf(client: ClientBase, { projectId, kind, unit }: Unit): Promise<StoredChunk[]> {
  const chunks = await queries.chunksOfUnit(client, projectId, kind, unit);
  return Promise.all(
    chunks.map(async ({ id, rows, rare, packedBits }) => {
      const copied = new CopiedRows(await copyOut(client, allColumns(projectId, id)));
      const columns: EncodedChunk['columns'] = new Map();
      while (copied.next()) columns.set(copied.text() as string, new Uint8Array(copied.raw() as Uint8Array));
      return { rows, rare, packedBits, columns };
    }),
  );
}

function compare(
  what: string,
  stored: StoredChunk[],
  wanted: StoredChunk[],
  row: 'ts' | 'id',
  found: Verification,
): void {
  if (countOf(stored) !== countOf(wanted)) {
    found.findings.push(`${what}: ${countOf(stored)} rows in columns, ${countOf(wanted)} in the table.`);
    return;
  }
  const named = new Set([...stored, ...wanted].flatMap(({ columns }) => [...columns.keys()]));
  const sums = [stored, wanted].map((chunks) => {
    const all = new Map<string, number>();
    for (const { columns } of chunks) addFingerprints(all, columns, row, named);
    return all;
  });
  const [inColumns, inRows] = sums as [Map<string, number>, Map<string, number>];
  const names = new Set([...inColumns.keys(), ...inRows.keys()]);
  for (const name of names) {
    if (isLeftOut(name, stored)) continue;
    if ((inColumns.get(name) ?? 0) !== (inRows.get(name) ?? 0)) found.findings.push(`${what}: ${name} differs.`);
  }
}

/** Some chunk of an earlier version has less of these properties than its rows. */
function isLeftOut(column: string, stored: readonly StoredChunk[]): boolean {
  if (column === RARE_PROPERTIES)
    return stored.some(({ rare, packedBits }) => packedBits === null && rare?.length !== 0);
  return (
    column.startsWith(PROPERTY) && stored.some((chunk) => queries.lacksProperty(chunk, column.slice(PROPERTY.length)))
  );
}

/** Visits by their events: what changes with each of them. Visits of which events were deleted are cut short, and not looked at. */
async function verifyVisits(client: ClientBase, found: Verification): Promise<void> {
  const wrong = await query<{ projectId: number; uuid: string }>(
    client,
    sql`select s.project_id as "projectId", s.uuid
          from sessions s
          join (select e.project_id, e.session_id, count(*) as events, min(e.ts) as first, max(e.ts) as last,
                       count(*) filter (where n.name = '$pageview') as views,
                       count(*) filter (where n.name = '$screen') as screens,
                       count(*) filter (where n.name = '$autocapture') as autocaptures,
                       bool_or(e.marks & 1 = 1) as bot
                  from events e
                  join event_names n on n.project_id = e.project_id and n.number = e.event
                 where e.session_id is not null
                 group by 1, 2) as e on e.project_id = s.project_id and e.session_id = s.id
         where s.events = e.events
           and (s.first_ts, s.last_ts, s.views, s.screens, s.autocaptures, s.bot)
               is distinct from (e.first, e.last, e.views, e.screens, e.autocaptures, e.bot)
            or s.events < e.events
         limit ${MAX_FINDINGS}`,
  );
  for (const { projectId, uuid } of wrong)
    found.findings.push(`project ${projectId}: session ${uuid} does not match its events.`);
}

async function verifyCounts(client: ClientBase, found: Verification): Promise<void> {
  const wrong = await query<{ projectId: number; quarter: number; name: string }>(
    client,
    sql`select coalesce(c.project_id, e.project_id) as "projectId", coalesce(c.quarter, e.quarter) as quarter, n.name
          from event_counts c
          full join (select project_id, event, to_timestamp(floor(extract(epoch from ts) / 900) * 900) as quarter,
                            count(*) filter (where marks & 1 = 0) as events, count(*) filter (where marks & 1 = 1) as bots
                       from events group by 1, 2, 3) as e using (project_id, event, quarter)
          left join event_names n on n.project_id = coalesce(c.project_id, e.project_id) and n.number = coalesce(c.event, e.event)
         where (c.events, c.bots) is distinct from (e.events, e.bots) and not ${onDroppedDay(sql`c.project_id`, sql`c.quarter`)}
         limit ${MAX_FINDINGS}`,
  );
  for (const { projectId, quarter, name } of wrong) {
    found.findings.push(`project ${projectId}: wrong count of ${name} at ${new Date(quarter).toISOString()}.`);
  }
}

function countOf(chunks: readonly { rows: number }[]): number {
  return chunks.reduce((sum, { rows }) => sum + rows, 0);
}

function keyOf({ projectId, kind, unit }: Unit): string {
  return `${projectId} ${kind} ${unit}`;
}
