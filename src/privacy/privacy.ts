/**
 * Data subject requests: export and erasure. Also the log of retention. Owner of
 * `privacy_requests` and `retention_log`.
 *
 * A job erases within minutes and repeats it a little later: until then a process may have cached the
 * person, and stored an event under their number. It is complete when a pass finds nothing more. A returning
 * visitor is a new person.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ingestMode } from '#src/config.ts';
import type { Retired } from '#src/events/events.ts';
import { busy, notFound } from '#src/kit/errors.ts';
import { throwFailures } from '#src/kit/failures.ts';
import type { TableFormat } from '#src/kit/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Person } from '#src/persons/people.ts';
import type { ProjectId, ReplaySettings } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import { connectDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { ExportFormat, FoundPerson, PeopleSearchResult, PrivacyOverview } from './contract.ts';
import { areGone, erasedIdKeys, type IsGone } from './erased-ids.ts';
import { createErasing, type ErasingParts } from './erasing.ts';
import { type Exported, exportPerson } from './person-file.ts';
import * as queries from './queries.ts';

export type { IsGone, Mention } from './erased-ids.ts';
export type { Elsewhere } from './erasing.ts';

export interface Privacy {
  overview(project: Project): Promise<PrivacyOverview>;
  /** People with a distinct id or email address, and receipts of erased persons who had it. */
  find(projectId: ProjectId, search: string): Promise<PeopleSearchResult>;
  /** Time of the erasure of the person with this uuid, ms; null: not erased. */
  erasedAt(projectId: ProjectId, uuid: string): Promise<number | null>;
  /** Asks for the end of a person. Gives the number of the receipt. @throws AppError `not_found` */
  erase(projectId: ProjectId, person: string, by: Requester): Promise<number>;
  /** Asks for all that is known of a person, to be fetched within a day by the requester. @throws AppError `not_found` */
  export(projectId: ProjectId, person: string, by: Requester): Promise<number>;
  /** The file of an export, piece by piece; within its day it may be fetched again. @throws AppError `not_found` */
  file(asked: FileRequest): Promise<Exported>;
  /**
   * For spooled events: runs `work` while no erasure can run. It gets whether a person with one of these ids was erased after a
   * time of receipt, and the transaction to read with. @throws while the database is unavailable
   */
  whileNobodyIsErased<Result>(work: (isGone: IsGone, on: Queryable) => Promise<Result>): Promise<Result>;
  /** Recurring work, every minute: what was asked for and waits. */
  work(signal?: AbortSignal): Promise<void>;
  /** Enters what retention deleted. */
  noteRetired(retired: Retired): Promise<void>;
}

/** `table`: how a table is written. */
interface FileRequest {
  projectId: ProjectId;
  id: number;
  by: number;
  format: ExportFormat;
  table: TableFormat;
}

/** The requester, named on the receipt. */
export interface Requester {
  id: number;
  name: string;
}

export type PrivacyParts = ErasingParts;

/** Longer than a statement of intake takes, and than a process needs to find out that it missed a notice. */
const SWEEP_AFTER_MS = 60_000;
const FETCH_WITHIN_MS = dayMs;
/** How long spooled events wait for an erasure to end, and how often they look. */
const ERASURE_WAIT_MS = 10_000;
const ERASURE_PAUSE_MS = 100;
const MAX_FOUND = 10;
const IDS_SHOWN = 10;
const RECEIPTS_SHOWN = 100;
const RUNS_SHOWN = 30;

type PrivacyDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

export function createPrivacy(deps: PrivacyDeps, parts: PrivacyParts): Privacy {
  const { people, history, secrets } = parts;
  const { db, clock, log, config } = deps;
  const eraseAll = createErasing({ db, clock }, parts);

  async function ask(kind: 'erase' | 'export', projectId: ProjectId, uuid: string, by: Requester): Promise<number> {
    const person = await people.get(projectId, uuid);
    if (person === null) throw notFound('person');
    const { persons, distinctIds } = await people.identityOf(projectId, [person.number]);
    const [key] = await secrets.keys('privacy receipts');
    const subjects = knownBy(person, distinctIds).map((each) => subjectOf(key as Buffer, projectId, each));
    const kept = kind === 'erase' ? distinctIds : [];
    return queries.insertRequest(db, { projectId, kind, subjects, persons, distinctIds: kept, by }, clock.now());
  }

  async function advance(request: queries.OpenRequest, signal: AbortSignal | undefined): Promise<void> {
    const now = clock.now();
    if (request.kind === 'export') {
      if (request.state === 'waiting') await queries.moveOn(db, request, 'expired', {}, now);
      else await queries.closeExport(db, request);
      return;
    }
    if (request.state === 'sweeping' && now - (request.lookedAt ?? request.sweptAt ?? 0) < SWEEP_AFTER_MS) return;
    const client = await connectDirect(config, ({ message }) =>
      log.warn({ reason: message }, 'erasure connection failed'),
    );
    try {
      const looked = await eraseAll(client, request, signal);
      if (looked === null) return;
      await queries.moveOn(db, request, looked.isOver ? 'done' : 'sweeping', looked.counts, clock.now());
    } finally {
      await client.end();
    }
  }

  return {
    async overview({ id, settings }) {
      const [requests, retention] = await Promise.all([
        queries.readRequests(db, id, RECEIPTS_SHOWN),
        queries.readRetired(db, id, RUNS_SHOWN),
      ]);
      const { cookieless, ipHandling, retentionDays, respectDnt, autocapture, exceptionCapture, webVitals } = settings;
      const { heatmaps, replay } = settings;
      return {
        requests,
        retention,
        settings: {
          cookieless,
          ipHandling,
          retentionDays,
          respectDnt,
          autocapture,
          exceptionCapture,
          webVitals,
          heatmaps,
          replay: replay.mode === 'off' ? null : recordedBy(replay),
          forwarding: forwardingOf(config),
        },
      };
    },
    async find(projectId, search) {
      const keys = await secrets.keys('privacy receipts');
      const [found, receipts] = await Promise.all([
        people.page(projectId, { search, limit: MAX_FOUND }),
        queries.requestsAbout(
          db,
          projectId,
          keys.map((key) => subjectOf(key, projectId, search)),
        ),
      ]);
      return { people: found.map(foundPerson), receipts };
    },
    async erasedAt(projectId, uuid) {
      const subjects = (await secrets.keys('privacy receipts')).map((key) => subjectOf(key, projectId, uuid));
      const receipts = await queries.requestsAbout(db, projectId, subjects);
      const erased = receipts.find(({ kind }) => kind === 'erase');
      return erased ? (erased.doneAt ?? erased.askedAt) : null;
    },
    erase: (projectId, person, by) => ask('erase', projectId, person, by),
    export: (projectId, person, by) => ask('export', projectId, person, by),
    async file({ format, table, ...asked }) {
      const request = await queries.exportAsked(db, asked);
      if (request === null) throw notFound('export');
      return exportPerson(
        { people, history },
        { projectId: asked.projectId, persons: request.persons, format, table },
        (counts) => queries.moveOn(db, request, 'done', counts, clock.now()),
      );
    },
    async whileNobodyIsErased(work) {
      // Before the transaction: they may come from the database, by another connection of the same pool.
      const keys = await erasedIdKeys(secrets);
      const until = clock.elapsed() + ERASURE_WAIT_MS;
      for (;;) {
        const done = await db.transaction(async (trx) => {
          if (!(await queries.tryLockAgainstErasing(trx))) return null;
          return { result: await work((projectId, said) => areGone(trx, keys, projectId, said), trx) };
        });
        if (done !== null) return done.result;
        if (clock.elapsed() > until) throw busy('An erasure is running. Try again in a moment.');
        // Without a connection: the erasure may need the last one of the pool.
        await sleep(ERASURE_PAUSE_MS);
      }
    },
    async work(signal) {
      const failures: unknown[] = [];
      for (const request of await queries.openRequests(db, clock.now() - FETCH_WITHIN_MS)) {
        signal?.throwIfAborted();
        // A failure of one does not block the others.
        await advance(request, signal).catch((error: unknown) => failures.push(error));
      }
      throwFailures(failures);
    },
    async noteRetired({ projectId, ...run }) {
      await queries.insertRetired(db, projectId, { at: clock.now(), ...run });
    },
  };
}

/** What the privacy notice says of recordings. */
function recordedBy({ mode, masking, console, network, retentionDays }: ReplaySettings) {
  return { isSample: mode !== 'all', masksText: masking === 'text', console, network, retentionDays };
}

/** The upstream that events are forwarded to, by mode; null when nothing leaves this installation. */
export function forwardingOf(config: Config): PrivacyOverview['settings']['forwarding'] {
  const mode = ingestMode(config);
  if (mode === 'store' || config.PUBLIC_POSTHOG_HOST === undefined) return null;
  return { mode, host: new URL(config.PUBLIC_POSTHOG_HOST).host };
}

/** Identifiers by which a receipt can be found; the uuid is in links. */
function knownBy({ properties, uuid }: Person, distinctIds: readonly string[]): string[] {
  const email = properties['email'];
  return [...distinctIds, ...(typeof email === 'string' ? [email] : []), uuid];
}

/** A keyed hash: identities cannot be guessed without the installation's key. */
function subjectOf(key: Buffer, projectId: number, knownAs: string): Buffer {
  return createHmac('sha256', key).update(`${projectId} ${knownAs.trim().toLowerCase()}`).digest();
}

function foundPerson(person: Person): FoundPerson {
  const { uuid, identified, createdAt, distinctIds, distinctIdCount, properties } = person;
  const label = [properties['name'], properties['email']].find((each) => typeof each === 'string' && each !== '');
  return {
    uuid,
    identified,
    createdAt,
    label: typeof label === 'string' ? label.slice(0, 200) : null,
    distinctIds: distinctIds.slice(0, IDS_SHOWN),
    moreIds: Math.max(0, distinctIdCount - IDS_SHOWN),
  };
}
