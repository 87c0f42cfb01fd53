/** The write transaction: everything that follows from a batch of events is committed with it, or nothing is. */
import type { Pool, PoolClient } from 'pg';
import { type Persons, type PreparedPersons, personsChannel, type Resolved } from '#src/persons/persons.ts';
import { copyIn } from '#src/store/copy.ts';
import { BeginAgainError, isDataError } from '#src/store/db.ts';
import { inMessages, type PreparedStatement, together } from '#src/store/message.ts';
import type { CodedEvent } from './coding.ts';
import { eventMarks, type FinishedEvent, type StoredBatch } from './contract.ts';
import { countsStatement } from './counts.ts';
import { beginInEpoch } from './epochs.ts';
import { exceptionStatements } from './exceptions.ts';
import { enterUuids } from './ledger.ts';
import { copyStatement, writeRows } from './rows.ts';
import { upsertSessions } from './sessions.ts';

/**
 * Channel on which each commit names the projects that gained events, as numbers with commas. Replayed events, long after their
 * receipt, add the earliest receipt time: `3,7@1763567890123`.
 */
export const eventsChannel = 'luneta_events';
/** Maximum delay of a commit after receipt, ms; live readers look back a little further. */
const LATE_MS = 20_000;

/** Parses a notification. */
export function readNotice(payload: string): { projectId: number; receivedAt: number | null }[] {
  return [...payload.matchAll(/(\d+)(?:@(\d+))?/g)].map(([, project, since]) => ({
    projectId: Number(project),
    receivedAt: since === undefined ? null : Number(since),
  }));
}

/**
 * Work of the caller that belongs to the transaction; its failure fails the batch. What it gives is a statement that goes with the commit, in
 * one message: for rows that every writer wants.
 */
export type BeforeCommit = (client: PoolClient, result: StoredBatch) => Promise<PreparedStatement | null>;

export interface Batch {
  events: readonly FinishedEvent[];
  /** The same, coded. */
  coded: readonly CodedEvent[];
  persons: PreparedPersons;
  now: number;
  /** Statements that begin the transaction. */
  settings: string;
  /** Look at each uuid: the batch is known to hold copies. */
  careful: boolean;
  beforeCommit: BeforeCommit | undefined;
}

/**
 * Runs the transaction and commits it.
 * @throws BeginAgainError when it has to be begun again; nothing was stored
 */
export async function append(pool: Pool, persons: Persons, batch: Batch): Promise<StoredBatch> {
  const client = await pool.connect();
  try {
    const stored = await appendOn(inMessages(client), persons, batch);
    client.release();
    return stored;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

async function appendOn(client: PoolClient, persons: Persons, batch: Batch): Promise<StoredBatch> {
  const { events, now, careful } = batch;
  const begun = beginInEpoch(client, batch.settings);
  const { expected, entered } = enterUuids(client, events, now, careful);
  const fresh = expected ?? (await together([begun, entered]))[1];
  const outcomes = fresh.map((isNew) => (isNew ? ('stored' as const) : ('duplicate' as const)));
  const coded = fresh.includes(false) ? batch.coded.filter((_, index) => fresh[index]) : [...batch.coded];
  const resolving = coded.length === 0 ? null : resolve(client, persons, coded, batch.persons);
  const [epoch, , resolved] = await together([begun, entered, resolving]);

  const result: StoredBatch = { outcomes, warnings: resolved?.warnings ?? [] };
  const rows = resolved === null ? null : writeRows(coded, resolved.additions, epoch);
  const copied = rows === null ? null : copyIn(client, copyStatement, rows, 'copy events');
  const finished = finish(client, batch, result, lastWords(coded, resolved, now));
  await together([copied, finished]);
  resolved?.committed();
  return result;
}

/** Resolves persons and visits of the events. */
async function resolve(
  client: PoolClient,
  persons: Persons,
  coded: CodedEvent[],
  prepared: PreparedPersons,
): Promise<Resolved> {
  const events = coded.map(({ event }) => event);
  return persons.resolve(client, events, prepared, (actors) => {
    noteActors(coded, actors);
    return upsertSessions(client, coded);
  });
}

async function finish(
  client: PoolClient,
  batch: Batch,
  result: StoredBatch,
  words: PreparedStatement[],
): Promise<void> {
  const closing = (await batch.beforeCommit?.(client, result)) ?? null;
  const all = closing === null ? words : [closing, ...words];
  await together(all.map((each) => client.query(each)));
}

function noteActors(coded: CodedEvent[], actors: readonly Resolved['actors'][number][]): void {
  coded.forEach((each, index) => {
    const actor = actors[index] as Resolved['actors'][number];
    each.person = actor.person;
    each.distinctId = actor.distinctId;
  });
}

/**
 * Counts, notices and the commit, for one message: rows and locks that every writer wants are held while the commit is written,
 * and not while this process is busy with something else. Should a statement fail, those after it are not executed.
 */
function lastWords(coded: readonly CodedEvent[], resolved: Resolved | null, now: number): PreparedStatement[] {
  const statements: PreparedStatement[] = [];
  if (coded.length > 0) statements.push(countsStatement(coded), ...exceptionStatements(coded));
  const projects = noticeOf(coded, now);
  if (projects !== '') statements.push({ text: `notify ${eventsChannel}, '${projects}'` });
  if (resolved !== null && resolved.notice !== null)
    statements.push({ text: `notify ${personsChannel}, '${resolved.notice}'` });
  statements.push(COMMIT);
  return statements;
}

const COMMIT: PreparedStatement = { name: 'commit', text: 'commit' };

function noticeOf(coded: readonly CodedEvent[], now: number): string {
  const since = new Map<number, number>();
  for (const { projectId, marks, event } of coded) {
    if ((marks & eventMarks.historical) !== 0) continue;
    since.set(projectId, Math.min(since.get(projectId) ?? Number.POSITIVE_INFINITY, event.receivedAt));
  }
  return [...since].map(([id, oldest]) => (oldest < now - LATE_MS ? `${id}@${Math.floor(oldest)}` : id)).join(',');
}

/** Releases the connection; destroys it when its state is uncertain. */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  const isClean = isDataError(error) || error instanceof BeginAgainError;
  const rolledBack = isClean && (await client.query('rollback').then(isDone, isNotDone));
  client.release(!rolledBack);
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;
