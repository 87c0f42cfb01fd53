/** One look at an erasure: everything that is kept of the persons is deleted, in whichever room it is. */
import type { Client } from 'pg';
import { eraseTraces, openRequest } from '#src/collect/erasure.ts';
import type { GroupsApart, History } from '#src/events/history.ts';
import type { People, ProjectIdentity } from '#src/persons/people.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { eraseQueued } from '#src/relay/erasure.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import { erasedIdsOf } from './erased-ids.ts';
import * as queries from './queries.ts';

/** Another room that keeps something of people. */
export interface Elsewhere {
  /** True while an operation on these persons must finish first. */
  isBusy?(known: ProjectIdentity): Promise<boolean>;
  /** Erases all rows of the persons; called twice. Returns rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export interface ErasingParts {
  people: People;
  history: History;
  secrets: Pick<Secrets, 'keys'>;
  projects: Pick<Projects, 'byToken'>;
  elsewhere: readonly Elsewhere[];
}

/** Gives rows by table, and whether nothing was found that has to be looked at again; null: it has to wait. */
export type EraseAll = (
  client: Client,
  request: queries.OpenRequest,
  signal: AbortSignal | undefined,
) => Promise<{ counts: Record<string, number>; isOver: boolean } | null>;

export function createErasing({ db, clock }: Pick<Deps, 'db' | 'clock'>, parts: ErasingParts): EraseAll {
  const { people, history, secrets, projects, elsewhere } = parts;

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
    const erasedIds = await erasedIdsOf(secrets, projectId, distinctIds);
    await client.query('begin');
    await queries.lockErasing(client);
    const erased = await people.erase(client, projectId, persons);
    const traces = await eraseTraces(client, projectId, distinctIds);
    const at = request.sweptAt ?? clock.now();
    await queries.noteErased(client, request, erasedIds, at);
    await client.query('commit');
    const rewrite = (queued: ForwardRequest) => withoutIds(queued, projects, projectId, new Set(distinctIds));
    const queued = await eraseQueued(client, { projectId, until: at, rewrite, signal });
    const remember = (found: GroupsApart) => {
      isOver = false;
      groupsApart = together(groupsApart, found);
      return queries.noteApart(client, request, groupsApart, clock.now());
    };
    // A restarted first pass has not waited for caches with the groups that it marked.
    const apart = state === 'sweeping' ? groupsApart : {};
    const gone = await history.erase(client, { projectId, persons, apart, remember, signal });
    // Last: what is made of events meanwhile is found as well.
    const others: Record<string, number> = {};
    for (const each of elsewhere) Object.assign(others, await each.erase(known));
    return { counts: { ...erased, ...traces, ...queued, ...gone, ...others }, isOver };
  }

  return eraseAll;
}

const nobodyElse = { persons: [], distinctIds: [] };

function together(one: GroupsApart, other: GroupsApart): GroupsApart {
  const kinds = Object.keys({ ...one, ...other }) as (keyof GroupsApart)[];
  return Object.fromEntries(kinds.map((kind) => [kind, [...new Set([...(one[kind] ?? []), ...(other[kind] ?? [])])]]));
}

/** A queued request without the events of erased people. */
async function withoutIds(
  request: ForwardRequest,
  projects: Pick<Projects, 'byToken'>,
  projectId: number,
  ids: ReadonlySet<string>,
): Promise<ForwardRequest | null> {
  const opened = await openRequest(request);
  const gone = opened?.ids.map((own) => own.some((id) => ids.has(id))) ?? [];
  if (opened === null || !gone.includes(true)) return request;
  if (request.projectId === null && (await projects.byToken(opened.token))?.id !== projectId) return request;
  return opened.without(gone);
}
