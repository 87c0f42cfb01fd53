/** Merging issues and splitting them, each with undo. Later occurrences follow: fingerprints are moved, and their occurrences with them. */
import type { Knex } from 'knex';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Grouping } from './contract.ts';
import { insertIssue, insertNotes, lockIssues, type Seen } from './grouping-queries.ts';
import * as queries from './moves-queries.ts';

/** An occurrence, as a separate issue shows it. */
export type Described = Seen & { grouping: Grouping; isResolved: boolean };

export interface Moves {
  /** Puts issues into the first of them. @param by null: Luneta @returns the moves, for undo @throws AppError `not_found`, `invalid` */
  merge(projectId: number, ids: readonly number[], by: number | null): Promise<number[]>;
  /** Takes fingerprints out of an issue. @returns the new issue and the move @throws AppError `not_found`, `invalid` */
  split(
    projectId: number,
    issue: number,
    fingerprints: readonly number[],
    by: number,
  ): Promise<{ issue: number; move: number }>;
  /** @throws AppError `not_found` when it was undone, `conflict` when an issue of it was merged with another one since */
  undo(projectId: number, move: number, by: number): Promise<void>;
}

export function createMoves(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  describe: (projectId: number, place: { ts: number; uuid: string }) => Promise<Described>,
): Moves {
  return {
    async merge(projectId, given, by) {
      const [into, ...others] = [...new Set(given)];
      if (into === undefined || others.length === 0) throw invalid('issues', 'Choose at least two issues.');
      const now = clock.now();
      return db.transaction(async (trx) => {
        await lockAll(trx, projectId, [into, ...others]);
        const moves: number[] = [];
        for (const from of others) {
          moves.push(await mergeOne(trx, projectId, { from, into }, { by, now }));
        }
        return moves;
      });
    },
    async split(projectId, issue, chosen, by) {
      const now = clock.now();
      const counts = await queries.countFingerprints(db, projectId, issue, 1_000);
      const taken = counts.filter(({ fingerprint }) => chosen.includes(fingerprint));
      const newest = taken.toSorted((one, other) => other.ts - one.ts)[0];
      if (newest === undefined) throw invalid('fingerprints', 'Choose occurrences of this issue.');
      if (taken.length === counts.length) throw invalid('fingerprints', 'Leave at least one in the issue.');
      const { grouping, isResolved, ...seen } = await describe(projectId, newest);
      return db.transaction(async (trx) => {
        await lockAll(trx, projectId, [issue]);
        const before = await beforeOf(trx, projectId, issue);
        const target = await insertIssue(trx, projectId, seen, grouping, { isResolved, now });
        const numbers = taken.map(({ fingerprint }) => fingerprint);
        const events = await queries.moveFingerprints(trx, projectId, { from: issue, to: target, numbers });
        await queries.recount(trx, projectId, issue, { events: -events, before, now });
        const targetBefore = { firstSeen: seen.firstSeen, firstRelease: seen.firstRelease };
        await queries.recount(trx, projectId, target, { events, before: targetBefore, now });
        const move = await queries.insertMove(
          trx,
          projectId,
          { kind: 'split', source: issue, target, fingerprints: numbers, events, sourceBefore: before, targetBefore },
          { by, now },
        );
        const note = { at: now, account: by, action: 'split' as const };
        await insertNotes(trx, projectId, [
          { ...note, issue, details: { issue: target } },
          { ...note, issue: target, details: { issue } },
        ]);
        return { issue: target, move };
      });
    },
    async undo(projectId, id, by) {
      const now = clock.now();
      await db.transaction(async (trx) => {
        const move = await queries.lockMove(trx, projectId, id);
        if (move === null) throw notFound('move');
        if (move.kind === 'split') {
          await lockAll(trx, projectId, [move.source, move.target]);
          await mergeOne(trx, projectId, { from: move.target, into: move.source }, { by, now, isUndo: true });
        } else await separate(trx, projectId, move, { by, now });
        await queries.markUndone(trx, id, now);
      });
    },
  };
}

/** Stored where an account is asked for. */
const NOBODY = 0;

interface Mover {
  by: number | null;
  now: number;
  isUndo?: boolean;
}

async function mergeOne(
  trx: Knex.Transaction,
  projectId: number,
  { from, into }: { from: number; into: number },
  { by, now, isUndo = false }: Mover,
): Promise<number> {
  const [sourceBefore, targetBefore] = [await beforeOf(trx, projectId, from), await beforeOf(trx, projectId, into)];
  const fingerprints = await queries.fingerprintsOfIssue(trx, projectId, from);
  const events = await queries.moveFingerprints(trx, projectId, { from, to: into, numbers: fingerprints });
  await queries.takeIn(trx, projectId, { from, into, now });
  const note = { issue: into, at: now, account: by, details: { issue: from } };
  // What nobody did is in the list of moves alone.
  if (by !== null) await insertNotes(trx, projectId, [{ ...note, action: isUndo ? 'unsplit' : 'merged' }]);
  const row = { kind: 'merged' as const, source: from, target: into, fingerprints, events, sourceBefore, targetBefore };
  return isUndo ? 0 : queries.insertMove(trx, projectId, row, { by: by ?? NOBODY, now });
}

/** After their source maps came, two issues were one all along: this is not undone. */
export async function joinIssues(
  trx: Knex.Transaction,
  projectId: number,
  { from, into, now }: { from: number; into: number; now: number },
): Promise<void> {
  if ((await lockIssues(trx, projectId, [from, into])).length < 2) return;
  const numbers = await queries.fingerprintsOfIssue(trx, projectId, from);
  await queries.moveFingerprints(trx, projectId, { from, to: into, numbers });
  await queries.takeIn(trx, projectId, { from, into, now });
  await queries.absorb(trx, projectId, { from, into });
  await insertNotes(trx, projectId, [
    { issue: into, at: now, account: null, action: 'joined', details: { issue: from } },
  ]);
}

/** What was merged comes out again, with what came to it since. */
async function separate(
  trx: Knex.Transaction,
  projectId: number,
  { source, target, fingerprints, events, sourceBefore, targetBefore }: queries.MoveRow,
  { by, now }: Mover,
): Promise<void> {
  const found = await query<{ id: number }>(
    trx,
    sql`select id from issues
         where project_id = ${projectId}
           and ((id = ${source} and merged_into = ${target}) or (id = ${target} and merged_into is null))
         order by id for update`,
  );
  if (found.length < 2) throw new AppError('conflict', 'One of the issues was merged again. Undo that first.');
  const all = (await query<{ events: number }>(
    trx,
    sql`select events from issues where project_id = ${projectId} and id = ${source}`,
  )) as [{ events: number }];
  const numbers = await queries.withFollowing(trx, projectId, target, fingerprints);
  const moved = await queries.moveFingerprints(trx, projectId, { from: target, to: source, numbers });
  const since = Math.max(0, moved - events);
  await queries.recount(trx, projectId, source, { events: since, before: sourceBefore, now });
  await queries.recount(trx, projectId, target, { events: -(all[0].events + since), before: targetBefore, now });
  const note = { at: now, account: by, action: 'unmerged' as const };
  await insertNotes(trx, projectId, [
    { ...note, issue: target, details: { issue: source } },
    { ...note, issue: source, details: { issue: target } },
  ]);
}

async function lockAll(trx: Knex.Transaction, projectId: number, ids: readonly number[]): Promise<void> {
  const locked = await lockIssues(trx, projectId, ids);
  if (locked.length !== ids.length || locked.some(({ mergedInto }) => mergedInto !== null)) throw notFound('issue');
}

async function beforeOf(trx: Knex.Transaction, projectId: number, id: number): Promise<queries.Before> {
  const [row] = await query<queries.Before>(
    trx,
    sql`select first_seen as "firstSeen", first_release as "firstRelease" from issues where project_id = ${projectId} and id = ${id}`,
  );
  return row as queries.Before;
}
