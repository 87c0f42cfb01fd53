/**
 * What people may ask about themselves: all that is known of them, and the end of it. Also the log of what retention deleted. Owner of
 * `privacy_requests` and `retention_log`.
 *
 * An erasure is done by a job within minutes and looked over once more a little later: until then a process may have remembered the
 * person, and stored an event under their number. It is over when a look finds nothing that it would have to look at again. Anyone who comes back
 * afterwards is a new person.
 */
import { createHmac } from 'node:crypto';
import type { Client } from 'pg';
import { eraseTraces, openRequest } from '#src/collect/erasure.ts';
import { type Config, ingestMode } from '#src/config.ts';
import type { Retired } from '#src/events/events.ts';
import type { GroupsApart, History } from '#src/events/history.ts';
import { notFound } from '#src/kit/errors.ts';
import { throwFailures } from '#src/kit/failures.ts';
import type { TableFormat } from '#src/kit/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { People, Person, ProjectIdentity } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { eraseQueued } from '#src/relay/erasure.ts';
import { connectDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { ExportFormat, Found, FoundPerson, PrivacyOverview } from './contract.ts';
import { type Exported, exportPerson } from './person-file.ts';
import * as queries from './queries.ts';

export interface Privacy {
  overview(project: Project): Promise<PrivacyOverview>;
  /** People under a distinct id or an e-mail address, and receipts about persons who were known by it. */
  find(projectId: ProjectId, search: string): Promise<Found>;
  /** When someone was erased who had this uuid; null: nobody was. */
  erasedAt(projectId: ProjectId, uuid: string): Promise<number | null>;
  /** Asks for the end of a person. Gives the number of the receipt. @throws AppError `not_found` */
  erase(projectId: ProjectId, person: string, by: Requester): Promise<number>;
  /** Asks for all that is known of a person, to be fetched within a day by the requester. @throws AppError `not_found` */
  export(projectId: ProjectId, person: string, by: Requester): Promise<number>;
  /** The file of an export, piece by piece; within its day it may be fetched again. @throws AppError `not_found` */
  file(asked: FileAsked): Promise<Exported>;
  /**
   * For what waited elsewhere, in the spool: runs `work`, in which nobody is erased. It can ask whether someone with one of these ids was
   * erased after something was received. @throws while the database is away
   */
  whileNobodyIsErased<Result>(work: (isGone: IsGone) => Promise<Result>): Promise<Result>;
  /** Recurring work, every minute: what was asked for and waits. */
  work(signal?: AbortSignal): Promise<void>;
  /** Enters what retention deleted. */
  noteRetired(retired: Retired): Promise<void>;
}

export type IsGone = (projectId: number, said: readonly Mention[]) => Promise<boolean[]>;

/** What was said of someone: by which ids, and when we were told. */
export interface Mention {
  ids: readonly string[];
  receivedAt: number;
}

/** `table`: how a table is written. */
interface FileAsked {
  projectId: ProjectId;
  id: number;
  by: number;
  format: ExportFormat;
  table: TableFormat;
}

/** Who asked; their name stands on the receipt. */
export interface Requester {
  id: number;
  name: string;
}

/** Another room that keeps something of people. */
export interface Elsewhere {
  /** Whether something is being done to these persons that has to end before. */
  isBusy?(known: ProjectIdentity): Promise<boolean>;
  /** Lets go of all of it; asked for twice. Gives rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export interface PrivacyParts {
  people: People;
  history: History;
  secrets: Pick<Secrets, 'keys'>;
  projects: Pick<Projects, 'byToken'>;
  elsewhere: readonly Elsewhere[];
}

/** Longer than a statement of intake takes, and than a process needs to find out that it missed a notice. */
const SWEEP_AFTER_MS = 60_000;
const FETCH_WITHIN_MS = dayMs;
const MAX_FOUND = 10;
const IDS_SHOWN = 10;
const RECEIPTS_SHOWN = 100;
const RUNS_SHOWN = 30;

type PrivacyDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

export function createPrivacy(deps: PrivacyDeps, parts: PrivacyParts): Privacy {
  const { people, history, secrets, projects, elsewhere } = parts;
  const { db, clock, log, config } = deps;

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

  /** Persons first: from then on anyone who comes by one of their ids is someone new. Null: it has to wait. */
  async function eraseAll(
    client: Client,
    request: queries.OpenRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ counts: Record<string, number>; isOver: boolean } | null> {
    const { projectId, state } = request;
    let { groupsApart } = request;
    let isOver = state === 'sweeping';
    // On the first look only: later the ids may belong to someone new, who did not ask for anything.
    const found = state === 'waiting' ? await people.identityOf(projectId, request.persons, client) : nobodyElse;
    const persons = [...new Set([...request.persons, ...found.persons])];
    const distinctIds = [...new Set([...request.distinctIds, ...found.distinctIds])];
    const known = { projectId, persons, distinctIds };
    for (const each of elsewhere) if (await each.isBusy?.(known)) return null;
    await queries.closeExportsOf(db, projectId, persons);
    await queries.noteIdentity(db, { ...request, persons, distinctIds });
    const [key] = await secrets.keys(ERASED_IDS);
    await client.query('begin');
    await queries.lockErasing(client);
    const erased = await people.erase(client, projectId, persons);
    const traces = await eraseTraces(client, projectId, distinctIds);
    const at = request.sweptAt ?? clock.now();
    const erasedIds = distinctIds.map((id) => erasedIdOf(key as Buffer, projectId, id));
    await queries.noteErased(client, request, erasedIds, at);
    await client.query('commit');
    const rewrite = (queued: ForwardRequest) => withoutIds(queued, projectId, new Set(distinctIds));
    const queued = await eraseQueued(client, { projectId, until: at, rewrite, signal });
    const remember = (found: GroupsApart) => {
      isOver = false;
      groupsApart = together(groupsApart, found);
      return queries.noteApart(client, request, groupsApart, clock.now());
    };
    // A first look that begins again has not waited for those that remember what it set apart.
    const apart = state === 'sweeping' ? groupsApart : {};
    const gone = await history.erase(client, { projectId, persons, apart, remember, signal });
    // Last: what is made of events meanwhile is found as well.
    const others: Record<string, number> = {};
    for (const each of elsewhere) Object.assign(others, await each.erase(known));
    return { counts: { ...erased, ...traces, ...queued, ...gone, ...others }, isOver };
  }

  /** A request that waits for an upstream, without what it says of someone. */
  async function withoutIds(
    request: ForwardRequest,
    projectId: number,
    ids: ReadonlySet<string>,
  ): Promise<ForwardRequest | null> {
    const opened = await openRequest(request);
    const gone = opened?.ids.map((own) => own.some((id) => ids.has(id))) ?? [];
    if (opened === null || !gone.includes(true)) return request;
    if (request.projectId === null && (await projects.byToken(opened.token))?.id !== projectId) return request;
    return opened.without(gone);
  }

  async function areGone(on: Queryable, projectId: number, said: readonly Mention[]): Promise<boolean[]> {
    const since = Math.min(...said.map(({ receivedAt }) => receivedAt));
    const erased = await queries.erasedSince(on, projectId, since);
    if (erased.length === 0) return said.map(() => false);
    const keys = await secrets.keys(ERASED_IDS);
    const ends = new Map<string, number>();
    for (const { ids, at } of erased) for (const id of ids) ends.set(id, Math.max(ends.get(id) ?? 0, at));
    const endOf = (id: string) =>
      Math.max(0, ...keys.map((key) => ends.get(erasedIdOf(key, projectId, id).toString('hex')) ?? 0));
    return said.map(({ ids, receivedAt }) => ids.some((id) => endOf(id) >= receivedAt));
  }

  return {
    async overview({ id, settings }) {
      const [requests, retention] = await Promise.all([
        queries.readRequests(db, id, RECEIPTS_SHOWN),
        queries.readRetired(db, id, RUNS_SHOWN),
      ]);
      const { cookieless, ipHandling, retentionDays, respectDnt, autocapture, exceptionCapture, webVitals } = settings;
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
    whileNobodyIsErased: (work) =>
      db.transaction(async (trx) => {
        await queries.lockAgainstErasing(trx);
        return work((projectId, said) => areGone(trx, projectId, said));
      }),
    async work(signal) {
      const failures: unknown[] = [];
      for (const request of await queries.openRequests(db, clock.now() - FETCH_WITHIN_MS)) {
        signal?.throwIfAborted();
        // What cannot be done for one does not keep others waiting.
        await advance(request, signal).catch((error: unknown) => failures.push(error));
      }
      throwFailures(failures);
    },
    async noteRetired({ projectId, ...run }) {
      await queries.insertRetired(db, projectId, { at: clock.now(), ...run });
    },
  };
}

/** The upstream that events are forwarded to, by mode; null when nothing leaves this installation. */
export function forwardingOf(config: Config): PrivacyOverview['settings']['forwarding'] {
  const mode = ingestMode(config);
  if (mode === 'store' || config.PUBLIC_POSTHOG_HOST === undefined) return null;
  return { mode, host: new URL(config.PUBLIC_POSTHOG_HOST).host };
}

const nobodyElse = { persons: [], distinctIds: [] };

function together(one: GroupsApart, other: GroupsApart): GroupsApart {
  const kinds = Object.keys({ ...one, ...other }) as (keyof GroupsApart)[];
  return Object.fromEntries(kinds.map((kind) => [kind, [...new Set([...(one[kind] ?? []), ...(other[kind] ?? [])])]]));
}

/** What a receipt can be found by; the uuid stands in links to them. */
function knownBy({ properties, uuid }: Person, distinctIds: readonly string[]): string[] {
  const email = properties['email'];
  return [...distinctIds, ...(typeof email === 'string' ? [email] : []), uuid];
}

/** Without the key of this installation nobody can try whose receipt it is. */
function subjectOf(key: Buffer, projectId: number, knownAs: string): Buffer {
  return createHmac('sha256', key).update(`${projectId} ${knownAs.trim().toLowerCase()}`).digest();
}

const ERASED_IDS = 'erased ids';

/** Letter for letter: ids that differ in case are of two people. */
function erasedIdOf(key: Buffer, projectId: number, distinctId: string): Buffer {
  return createHmac('sha256', key).update(`${projectId} ${distinctId}`).digest();
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
