/**
 * Deduplication of events. Live events are recorded by `(project, uuid)` in a ledger with weekly partitions; the current
 * and the previous week are kept, which guarantees seven days. The week is that of storing, not of
 * receipt, so that a spooled copy and a retried one are in the same partition. Historical events are looked
 * up among the rows themselves, since their time is fixed.
 *
 * Most batches have no duplicates: they are loaded into the partition with COPY, and checked one by one only when that fails. The
 * previous week is checked only for uuids that may be in it. A UUIDv7 with a time in the current
 * week is not: one of a fast clock is entered in the coming week, too.
 */
import type { ClientBase } from 'pg';
import { lowerUuid, uuidV7Time } from '#src/kit/ids.ts';
import { ints, times, uuids } from '#src/store/binary.ts';
import { CopyRows, copyIn } from '#src/store/copy.ts';
import { BeginAgainError, sqlState } from '#src/store/db.ts';
import { eventMarks, type FinishedEvent } from './contract.ts';
import { WEEK_MS, weekOf } from './partitions.ts';

/**
 * For this long after the start of a week keys are also entered in the previous week, so that duplicates are detected that are stored at the
 * same time by processes with different clocks.
 */
const TURN_MS = 3_600_000;
/** First half of the advisory lock that keeps two historical batches of a project apart; the second is the project. */
const HISTORICAL_LOCK = 713_522;
const ROW_BYTES = 50;

/** The batch holds a uuid that is in the ledger. The transaction is lost; the next attempt has to look at each. */
export class CopiesInBatchError extends BeginAgainError {
  override name = 'CopiesInBatchError';
}

/** Weeks whose partitions must exist to store something now. */
export function ledgerWeeks(now: number): number[] {
  const week = weekOf(now);
  return [week - 1, week, week + 1];
}

/** One boolean per event each: true when it is new. Of two copies within the batch the first is. */
export interface Entering {
  /**
   * Expected result of a batch that should have no duplicates and needs no look-up: processing may continue
   * meanwhile. Null: wait for `entered`.
   */
  expected: boolean[] | null;
  /** The result. @throws CopiesInBatchError unless `careful` */
  entered: Promise<boolean[]>;
}

/**
 * Enters the uuids of a batch.
 *
 * @param careful look at each; else the batch is expected to hold no copies
 */
export function enterUuids(
  client: ClientBase,
  batch: readonly FinishedEvent[],
  now: number,
  careful: boolean,
): Entering {
  const { live, historical } = withoutRepetitions(batch);
  const entered = enterAllOf(client, batch.length, { live, historical, now, careful });
  const week = weekOf(now);
  const mustWait = careful || historical.length > 0 || live.some(({ ownWeek }) => ownWeek !== week);
  return { expected: mustWait ? null : freshOnes(batch.length, live), entered };
}

async function enterAllOf(
  client: ClientBase,
  count: number,
  { live, historical, now, careful }: { live: Entry[]; historical: Entry[]; now: number; careful: boolean },
): Promise<boolean[]> {
  const fresh = freshOnes(count, []);
  if (live.length > 0) await enterLive(client, live, now, careful, fresh);
  if (historical.length > 0) await findHistorical(client, historical, fresh);
  return fresh;
}

function freshOnes(count: number, entries: readonly Entry[]): boolean[] {
  const fresh = new Array<boolean>(count).fill(false);
  for (const { index } of entries) fresh[index] = true;
  return fresh;
}

interface Entry {
  projectId: number;
  /** Lower case. */
  uuid: string;
  event: FinishedEvent;
  /** The week of a UUIDv7's time; null for other versions. */
  ownWeek: number | null;
  /** Place in the batch. */
  index: number;
}

/** Sorted by project and uuid: the order in which all batches take them. */
function withoutRepetitions(batch: readonly FinishedEvent[]): { live: Entry[]; historical: Entry[] } {
  const live = new Map<string, Entry>();
  const historical = new Map<string, Entry>();
  const most = batch[0]?.projectId;
  for (let index = 0; index < batch.length; index++) {
    const event = batch[index] as FinishedEvent;
    const { projectId } = event;
    const uuid = lowerUuid(event.uuid) ?? event.uuid.toLowerCase();
    const isHistorical = (event.marks & eventMarks.historical) !== 0;
    const known = isHistorical ? historical : live;
    // Mostly all are of one project: then the text that is there is the key.
    const key = isHistorical ? `${uuid}${projectId} ${event.ts}` : projectId === most ? uuid : `${uuid}${projectId}`;
    if (!known.has(key)) known.set(key, { projectId, uuid, event, ownWeek: ownWeekOf(uuid), index });
  }
  const inOrder = (entries: Map<string, Entry>) =>
    [...entries.values()].sort((a, b) => a.projectId - b.projectId || (a.uuid < b.uuid ? -1 : 1));
  return { live: inOrder(live), historical: inOrder(historical) };
}

async function enterLive(
  client: ClientBase,
  entries: Entry[],
  now: number,
  careful: boolean,
  fresh: boolean[],
): Promise<void> {
  const week = weekOf(now);
  const suspects = entries.filter(({ ownWeek }) => ownWeek !== week);
  const ahead = suspects.filter(({ ownWeek }) => ownWeek === week + 1);
  const stored = new Set(suspects.length === 0 ? [] : await findIn(client, week - 1, suspects));
  const rest = stored.size === 0 ? entries : entries.filter((entry) => !stored.has(entry));

  const isTurn = now - week * WEEK_MS < TURN_MS;
  const into: [week: number, entries: Entry[]][] = [[week, rest]];
  if (isTurn) into.unshift([week - 1, rest]);
  if (ahead.length > 0) into.push([week + 1, ahead.filter((entry) => !stored.has(entry))]);

  const copies = new Set<Entry>();
  for (const [target, wanted] of into) {
    if (careful) for (const copy of await enterEach(client, target, wanted)) copies.add(copy);
    else await enterAll(client, target, wanted);
  }
  for (const entry of rest) if (!copies.has(entry)) fresh[entry.index] = true;
}

function ownWeekOf(uuid: string): number | null {
  const ms = uuidV7Time(uuid);
  return ms === null ? null : weekOf(ms);
}

async function enterAll(client: ClientBase, week: number, entries: readonly Entry[]): Promise<void> {
  const rows = new CopyRows(entries.length * ROW_BYTES);
  for (const { projectId, uuid } of entries) {
    rows.row(3);
    rows.int(projectId);
    rows.uuid(uuid);
    rows.int(week);
  }
  try {
    const into = `event_uuids_${week}`;
    await copyIn(client, `copy ${into} (project_id, uuid, week) from stdin (format binary)`, rows, `copy ${into}`);
  } catch (error) {
    if (sqlState(error) === '23505')
      throw new CopiesInBatchError('an event of the batch was stored before', { cause: error });
    throw error;
  }
}

/** Enters what is not there; gives what is. */
async function enterEach(client: ClientBase, week: number, entries: readonly Entry[]): Promise<Entry[]> {
  const { rows } = await client.query<{ project_id: number; uuid: string }>({
    text: `insert into event_uuids_${week} (project_id, uuid, week)
           select *, ${week} from unnest($1::int[], $2::uuid[])
           on conflict do nothing
           returning project_id, uuid`,
    values: [ints(entries, (entry) => entry.projectId), uuids(entries, (entry) => entry.uuid)],
  });
  const entered = new Set(rows.map((row) => `${row.project_id} ${row.uuid}`));
  return entries.filter(({ projectId, uuid }) => !entered.has(`${projectId} ${uuid}`));
}

/** The entries that are in a week's partition. */
async function findIn(client: ClientBase, week: number, entries: readonly Entry[]): Promise<Entry[]> {
  const { rows } = await client.query<{ place: number }>({
    // The limit keeps the planner from turning this round and reading the whole partition.
    text: `select place::int as place
             from unnest($1::int[], $2::uuid[]) with ordinality as asked (project_id, uuid, place),
                  lateral (select from event_uuids_${week} as known
                            where known.project_id = asked.project_id and known.uuid = asked.uuid
                            limit 1) as found`,
    values: [ints(entries, (entry) => entry.projectId), uuids(entries, (entry) => entry.uuid)],
  });
  return rows.map((row) => entries[row.place - 1] as Entry);
}

async function findHistorical(client: ClientBase, entries: readonly Entry[], fresh: boolean[]): Promise<void> {
  for (const projectId of new Set(entries.map((entry) => entry.projectId))) {
    await client.query('select pg_advisory_xact_lock($1, $2)', [HISTORICAL_LOCK, projectId]);
  }
  const { rows } = await client.query<{ place: number }>({
    text: `select place::int as place
             from unnest($1::int[], $2::timestamptz[], $3::uuid[]) with ordinality as asked (project_id, ts, uuid, place),
                  lateral (select from events e
                            where e.project_id = asked.project_id and e.ts = asked.ts and e.uuid = asked.uuid
                            limit 1) as found`,
    values: [
      ints(entries, (entry) => entry.projectId),
      times(entries, (entry) => entry.event.ts),
      uuids(entries, (entry) => entry.uuid),
    ],
  });
  const stored = new Set(rows.map((row) => row.place - 1));
  entries.forEach(({ index }, place) => {
    if (!stored.has(place)) fresh[index] = true;
  });
}
