/**
 * Loads stored properties of a request's subject, as far as flags use them and the request does not have them. With a short timeout:
 * while the database is unavailable they are unknown.
 */
import type { JsonObject } from '#src/kit/json.ts';
import { isLate } from '#src/kit/late.ts';
import type { People } from '#src/persons/people.ts';
import type { Deps } from '#src/store/deps.ts';
import { createBatches } from './batches.ts';
import { createCohortMembers } from './cohort-members.ts';
import type { FlagSubject, StoredProperties } from './contract.ts';
import type { ProjectFlags } from './definitions.ts';
import * as queries from './queries.ts';

export interface StoredReader {
  /** `null` inside: not available now. */
  read(projectId: number, project: ProjectFlags, subject: FlagSubject): Promise<StoredProperties>;
  /**
   * The id that stands for a person in flags that keep their value across sign-in; the first call after signing in decides it.
   * @param anonymousId the id of before
   */
  firstId(projectId: number, distinctId: string, anonymousId: string | null): Promise<FirstId>;
}

export interface FirstId {
  id: string | null;
  isKnown: boolean;
}

/** A request waits for so long. */
const WAIT_MS = 500;
/** While the database is away, how long until the next try. */
const RETRY_MS = 1_000;
/** The database's own limit on what an index holds is far above. */
const MAX_ID = 1_000;

const NO_PROPERTIES: JsonObject = {};
const NO_COHORTS: ReadonlySet<number> = new Set();
const NOBODY = { person: NO_PROPERTIES, cohorts: NO_COHORTS };

export function createStoredReader(
  { write, clock, log }: Pick<Deps, 'write' | 'clock' | 'log'>,
  people: Pick<People, 'lookup'>,
): StoredReader {
  const { lookup } = people;
  const persons = createBatches((asked: { projectId: number; distinctId: string }[]) =>
    lookup.personsByIds(write, asked),
  );
  const groups = createBatches((asked: { projectId: number; type: number; key: string }[]) =>
    lookup.propertiesOfGroups(write, asked),
  );
  const members = createCohortMembers(write, clock);
  let awayUntil = 0;

  /** Null: it failed or took too long. */
  async function inTime<Result>(ask: () => Promise<Result>): Promise<{ result: Result } | null> {
    if (clock.elapsed() < awayUntil) return null;
    const asked = ask();
    try {
      if (!(await isLate(asked, WAIT_MS))) return { result: await asked };
    } catch (error) {
      log.debug({ err: error }, 'failed to read properties for feature flags');
    }
    awayUntil = clock.elapsed() + RETRY_MS;
    return null;
  }

  async function personOf(
    projectId: number,
    { compiled }: ProjectFlags,
    subject: FlagSubject,
  ): Promise<Pick<StoredProperties, 'person' | 'cohorts'>> {
    const { distinctId, personProperties } = subject;
    const { personKeys, cohorts } = compiled;
    const isGiven = (key: string) => key === 'distinct_id' || Object.hasOwn(personProperties, key);
    const needsNothing = personKeys.every(isGiven) && cohorts.length === 0;
    if (needsNothing || !isStorable(distinctId)) return NOBODY;
    const found = await inTime(async () => {
      const person = await persons({ projectId, distinctId });
      if (person === null) return NOBODY;
      const within = cohorts.length === 0 ? NO_COHORTS : await members.of(projectId, cohorts, person.number);
      return { person: person.properties, cohorts: within };
    });
    return found?.result ?? { person: null, cohorts: null };
  }

  async function groupsOf(
    projectId: number,
    { compiled, groupTypes }: ProjectFlags,
    { groups: keys, groupProperties }: FlagSubject,
  ): Promise<StoredProperties['groups']> {
    const wanted = [...groupTypes].flatMap(([type, name]) => {
      const given = Object.hasOwn(groupProperties, name) ? groupProperties[name] : undefined;
      const compared = compiled.groupKeys.get(name) ?? [];
      const missing = compared.some((key) => key !== '$group_key' && !(given && Object.hasOwn(given, key)));
      const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
      return missing && key !== undefined && isStorable(key) ? [{ type, name, key }] : [];
    });
    if (wanted.length === 0) return {};
    const found = await inTime(() => Promise.all(wanted.map(({ type, key }) => groups({ projectId, type, key }))));
    return found && Object.fromEntries(wanted.map(({ name }, at) => [name, found.result[at] ?? NO_PROPERTIES]));
  }

  async function findFirstId(
    projectId: number,
    distinctId: string,
    anonymousId: string | null,
  ): Promise<string | null> {
    const known = await queries.firstIdOf(write, projectId, distinctId);
    if (known !== null || anonymousId === null) return known;
    await queries.insertFirstId(write, projectId, { distinctId, firstId: anonymousId }, clock.now());
    // Concurrent requests may both insert: the stored id counts for both.
    return queries.firstIdOf(write, projectId, distinctId);
  }

  return {
    async read(projectId, project, subject) {
      const [person, groupProperties] = await Promise.all([
        personOf(projectId, project, subject),
        groupsOf(projectId, project, subject),
      ]);
      return { ...person, groups: groupProperties };
    },
    async firstId(projectId, distinctId, anonymousId) {
      if (!isStorable(distinctId)) return { id: null, isKnown: true };
      const before = anonymousId !== null && anonymousId !== distinctId && isStorable(anonymousId) ? anonymousId : null;
      const found = await inTime(() => findFirstId(projectId, distinctId, before));
      return found ? { id: found.result, isKnown: true } : { id: before, isKnown: false };
    },
  };
}

function isStorable(id: string): boolean {
  return id !== '' && id.length <= MAX_ID && !id.includes('\0') && id.isWellFormed();
}
