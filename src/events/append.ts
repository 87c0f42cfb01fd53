/** The write transaction: everything that follows from a batch of events is committed with it, or nothing is. */
import type { Pool, PoolClient } from 'pg';
import { type Persons, type PreparedPersons, personsChannel, type Resolved } from '#src/persons/persons.ts';
import { copyIn } from '#src/store/copy.ts';
import { BeginAgainError, isDataError } from '#src/store/db.ts';
import type { CodedEvent } from './coding.ts';
import { eventMarks, type FinishedEvent, type StoredBatch } from './contract.ts';
import { countsSql } from './counts.ts';
import { beginInEpoch } from './epochs.ts';
import { enterUuids } from './ledger.ts';
import { copyStatement, writeRows } from './rows.ts';
import { upsertSessions } from './sessions.ts';

/**
 * Channel on which each commit names the projects that gained events, as numbers with commas. What comes out of the spool, long after its
 * receipt, says since when: `3,7@1763567890123`.
 */
export const eventsChannel = 'luneta_events';
/** Who follows what is received looks back a little further than this. */
const LATE_MS = 20_000;

/** What a notice on the channel says. */
export function readNotice(payload: string): { projectId: number; receivedAt: number | null }[] {
  return [...payload.matchAll(/(\d+)(?:@(\d+))?/g)].map(([, project, since]) => ({
    projectId: Number(project),
    receivedAt: since === undefined ? null : Number(since),
  }));
}

/**
 * Work of the caller that belongs to the transaction; its failure fails the batch. What it gives is SQL that goes with the commit, in one
 * message: for rows that every writer wants.
 */
export type BeforeCommit = (client: PoolClient, result: StoredBatch) => Promise<string>;

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
    const stored = await appendOn(client, persons, batch);
    client.release();
    return stored;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

async function appendOn(client: PoolClient, persons: Persons, batch: Batch): Promise<StoredBatch> {
  const epoch = await beginInEpoch(client, batch.settings);
  const fresh = await enterUuids(client, batch.events, batch.now, batch.careful);
  const outcomes = fresh.map((isNew) => (isNew ? ('stored' as const) : ('duplicate' as const)));
  const coded = fresh.includes(false) ? batch.coded.filter((_, index) => fresh[index]) : [...batch.coded];
  let resolved: Resolved | null = null;
  if (coded.length > 0) {
    const events = coded.map(({ event }) => event);
    resolved = await persons.resolve(client, events, batch.persons);
    noteActors(coded, resolved.actors);
    await upsertSessions(client, coded);
    await copyIn(client, copyStatement, writeRows(coded, resolved.additions, epoch));
  }
  const result: StoredBatch = { outcomes, warnings: resolved?.warnings ?? [] };
  const closing = (await batch.beforeCommit?.(client, result)) ?? '';
  await client.query(lastWords(coded, resolved, batch.now, closing));
  resolved?.committed();
  return result;
}

function noteActors(coded: CodedEvent[], actors: Resolved['actors']): void {
  coded.forEach((each, index) => {
    const actor = actors[index] as Resolved['actors'][number];
    each.person = actor.person;
    each.distinctId = actor.distinctId;
  });
}

/**
 * Counts, notices and the commit in one message: rows and locks that every writer wants are held while the commit is written,
 * and not while this process is busy with something else. Should a statement fail, those after it are not executed.
 */
function lastWords(coded: readonly CodedEvent[], resolved: Resolved | null, now: number, closing: string): string {
  const statements: string[] = closing === '' ? [] : [closing];
  if (coded.length > 0) statements.push(countsSql(coded));
  const projects = noticeOf(coded, now);
  if (projects !== '') statements.push(`notify ${eventsChannel}, '${projects}'`);
  if (resolved !== null && resolved.notice !== null) statements.push(`notify ${personsChannel}, '${resolved.notice}'`);
  statements.push('commit');
  return statements.join('; ');
}

function noticeOf(coded: readonly CodedEvent[], now: number): string {
  const since = new Map<number, number>();
  for (const { projectId, marks, event } of coded) {
    if ((marks & eventMarks.historical) !== 0) continue;
    since.set(projectId, Math.min(since.get(projectId) ?? Number.POSITIVE_INFINITY, event.receivedAt));
  }
  return [...since].map(([id, oldest]) => (oldest < now - LATE_MS ? `${id}@${Math.floor(oldest)}` : id)).join(',');
}

/** A connection whose state is not certain is not used again. */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  const isClean = isDataError(error) || error instanceof BeginAgainError;
  const rolledBack = isClean && (await client.query('rollback').then(isDone, isNotDone));
  client.release(!rolledBack);
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;
