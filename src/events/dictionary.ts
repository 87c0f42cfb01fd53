/**
 * Numbers for event names and property groups. Known ones come from memory; unknown ones are entered and committed on their
 * own before the batch's transaction, which is harmless when the batch fails and never makes another writer wait.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';
import { UnstorableError } from '#src/store/db.ts';
import type { Numbers } from '#src/store/numbers.ts';
import { createStatistics } from '#src/store/statistics.ts';
import type { CodedEvent } from './coding.ts';
import { type FinishedEvent, type GroupKind, groupKinds } from './contract.ts';
import { Growth } from './growth.ts';
import { createNameNumbers } from './name-numbers.ts';
import * as queries from './queries.ts';

export interface Dictionary {
  /** The batch with the numbers of everything in it. Outside the transaction. */
  code(batch: readonly FinishedEvent[]): Promise<CodedEvent[]>;
  /** Groups have to be looked up again: some were emptied. */
  forgetGroups(): void;
}

/** Storage of a group. */
interface Place {
  projectId: number;
  kind: GroupKind;
  growth: Growth;
  /** Number in the dictionary; null when it has none, or not yet. */
  number: number | null;
  /** Properties that stay with the event. */
  spilled: JsonObject | null;
}

/** Cache of groups. */
interface Memory {
  groups: Recent<string, number>;
  /** Groups are made once and shared by events that look alike: most are known by the object alone. */
  placed: WeakMap<JsonObject, Place>;
}

function newMemory(): Memory {
  return { groups: createRecent(REMEMBERED_GROUPS), placed: new WeakMap() };
}

/** A group that has to be looked up or entered. */
interface Entry {
  hash: string;
  text: string;
  places: Place[];
}

const kinds = Object.keys(groupKinds) as GroupKind[];
/** About 15 MB when full. */
const REMEMBERED_GROUPS = 100_000;

export function createDictionary(pool: Pool, numbers: Numbers): Dictionary {
  const names = createNameNumbers(pool, numbers);
  /** Replaced when groups are emptied, so that stale results of running batches go into the discarded cache. */
  let memory = newMemory();
  const growths = new Map<string, Growth>();
  const statistics = createStatistics(pool, 'property_groups');

  function growthOf(projectId: number, kind: GroupKind): Growth {
    const key = `${projectId} ${kind}`;
    let growth = growths.get(key);
    if (growth === undefined) {
      growth = new Growth(kind);
      growths.set(key, growth);
    }
    return growth;
  }

  /** The place of a group that was not met before; its number follows when its entry is entered. */
  function place(
    { groups }: Memory,
    projectId: number,
    kind: GroupKind,
    group: JsonObject,
    wanted: Map<string, Entry>,
  ): Place {
    const growth = growthOf(projectId, kind);
    const made: Place = { projectId, kind, growth, number: null, spilled: null };
    let { text, hash } = described(group);
    if (growth.isTooFast && groups.get(keyOf(projectId, kind, hash)) === undefined) {
      const { kept, spilled } = growth.divide(group);
      made.spilled = spilled;
      if (Object.keys(kept).length === 0) return made;
      ({ text, hash } = described(kept));
      if (growth.isFull && groups.get(keyOf(projectId, kind, hash)) === undefined) return { ...made, spilled: group };
    }
    const key = keyOf(projectId, kind, hash);
    made.number = groups.get(key) ?? null;
    if (made.number === null) {
      const entry = wanted.get(key) ?? { hash, text, places: [] };
      entry.places.push(made);
      wanted.set(key, entry);
    }
    return made;
  }

  /** Enters groups of one project and kind, sorted by hash. */
  async function enter({ groups }: Memory, projectId: number, kind: GroupKind, entries: Entry[]): Promise<void> {
    const stored = groupKinds[kind];
    const missing = new Map(entries.map((entry) => [entry.hash, entry]));
    const put = (rows: queries.NumberedGroup[], isNew: boolean) => {
      for (const { hash, number } of rows) {
        groups.set(keyOf(projectId, kind, hash), number);
        if (isNew) growthOf(projectId, kind).gained(number);
        for (const made of missing.get(hash)?.places ?? []) made.number = number;
        missing.delete(hash);
      }
    };
    put(await queries.findGroups(pool, projectId, stored, [...missing.keys()]), false);
    if (missing.size === 0) return;
    const supply = await numbers.reserve(projectId, `group:${kind}`, missing.size);
    const wanted = [...missing.values()].map(({ hash, text }) => ({ hash, text, number: supply.next() }));
    const entered = await queries.enterGroups(pool, projectId, stored, wanted);
    put(entered, true);
    statistics.added(entered.length);
    if (missing.size > 0) put(await queries.findGroups(pool, projectId, stored, [...missing.keys()]), false);
  }

  async function enterAll(into: Memory, wanted: Map<string, Entry>): Promise<void> {
    const together = new Map<string, { projectId: number; kind: GroupKind; entries: Entry[] }>();
    for (const entry of [...wanted.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
      const { projectId, kind } = entry.places[0] as Place;
      const key = `${projectId} ${kind}`;
      const own = together.get(key) ?? { projectId, kind, entries: [] };
      together.set(key, own);
      own.entries.push(entry);
    }
    for (const { projectId, kind, entries } of together.values()) await enter(into, projectId, kind, entries);
  }

  return {
    async code(batch) {
      const found = await names.of(batch);
      const known = memory;
      const { placed } = known;
      const wanted = new Map<string, Entry>();
      /** Not shared before their numbers are known: another batch may be on its way with the same groups. */
      const fresh = new Map<JsonObject, Place>();
      const late: { made: CodedEvent; here: Place }[] = [];
      const all = batch.map((event, index) => {
        const made = coded(event, found[index] as number);
        for (let at = 0; at < kinds.length; at++) {
          const kind = kinds[at] as GroupKind;
          const group = event.groups[kind];
          if (group === undefined) continue;
          let here = placed.get(group);
          if (here === undefined || here.projectId !== event.projectId || here.kind !== kind) {
            here = fresh.get(group);
            if (here === undefined || here.projectId !== event.projectId || here.kind !== kind) {
              here = place(known, event.projectId, kind, group, wanted);
              fresh.set(group, here);
            }
            late.push({ made, here });
          }
          here.growth.seen();
          made.groups[kind] = here.number;
          if (here.spilled !== null) made.spilled = Object.assign(made.spilled ?? {}, here.spilled);
        }
        return made;
      });
      if (wanted.size > 0) await enterAll(known, wanted);
      for (const [group, here] of fresh) placed.set(group, here);
      for (const { made, here } of late) made.groups[here.kind] = here.number;
      return all;
    },
    forgetGroups() {
      memory = newMemory();
    },
  };
}

/**
 * The event with the number of its name; those of its groups follow.
 * @throws UnstorableError for a time that is none
 */
function coded(event: FinishedEvent, name: number): CodedEvent {
  const { projectId, ts, marks } = event;
  if (!Number.isFinite(ts) || !Number.isFinite(event.receivedAt)) throw new UnstorableError('a time is not a number');
  const groups = { page: null, device: null, source: null, geo: null, flags: null, elements: null };
  return { event, projectId, ts, marks, name, groups, spilled: null, person: 0, distinctId: 0, sessionId: null };
}

function keyOf(projectId: number, kind: GroupKind, hash: string): string {
  return `${projectId} ${groupKinds[kind]} ${hash}`;
}

function described(group: JsonObject): { text: string; hash: string } {
  const text = canonical(group);
  return { text, hash: createHash('md5').update(text).digest('hex') };
}

/** JSON with names in order, so that equal content has one text. */
function canonical(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as JsonValue)}`).join(',')}}`;
}
