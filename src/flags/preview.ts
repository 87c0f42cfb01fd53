/** Preview and test of an unsaved flag. */
import { dayMs } from '#src/kit/zone.ts';
import type { KnownPerson } from '#src/persons/people.ts';
import type { Queryable } from '#src/store/sql.ts';
import { createCohortMembers } from './cohort-members.ts';
import type { FlagPreview, FlagSubject, FlagTrialResult } from './contract.ts';
import type { CompiledFlag, CompiledFlags } from './evaluation/compile.ts';
import { createEvaluation } from './evaluation/evaluate.ts';
import * as queries from './queries.ts';

export interface DraftedFlags {
  /** Key of the tested flag. */
  key: string;
  compiled: CompiledFlags;
}

const DAYS = 7;
/** Enough for a percent or two, and some milliseconds. */
const MAX_SAMPLED = 2_000;

export async function previewFlag(
  on: Queryable,
  projectId: number,
  { key, compiled }: DraftedFlags,
  now: number,
): Promise<FlagPreview> {
  const flag = compiled.byKey.get(key) as CompiledFlag;
  const sample = await queries.samplePeople(on, projectId, now - DAYS * dayMs, MAX_SAMPLED);
  const people = sample[0]?.total ?? 0;
  const values = new Map<boolean | string, number>();
  const conditions = new Array<number>(flag.conditions.length).fill(0);
  const members = createCohortMembers(on, { elapsed: () => now });
  for (const { person, distinctId, properties } of sample) {
    const cohorts = await members.of(projectId, compiled.cohorts, person);
    const stored = { person: properties, groups: {}, cohorts };
    const evaluation = createEvaluation(compiled, subjectOf(distinctId), stored, now);
    const { value, reason, condition } = evaluation.flag(flag);
    values.set(value, (values.get(value) ?? 0) + 1);
    if (reason === 'condition_match' && condition !== null) conditions[condition] = (conditions[condition] ?? 0) + 1;
  }
  const ofAll = (count: number) => Math.round((count * people) / Math.max(1, sample.length));
  return {
    people,
    sampled: sample.length,
    values: [...values].map(([value, count]) => ({ value, people: ofAll(count) })).sort((a, b) => b.people - a.people),
    conditions: conditions.map(ofAll),
  };
}

/** @param person null: unknown id */
export async function tryFlag(
  on: Queryable,
  projectId: number,
  { key, compiled }: DraftedFlags,
  { distinctId, person }: { distinctId: string; person: KnownPerson | null },
  now: number,
): Promise<FlagTrialResult> {
  const flag = compiled.byKey.get(key) as CompiledFlag;
  const members = createCohortMembers(on, { elapsed: () => now });
  const cohorts = person === null ? new Set<number>() : await members.of(projectId, compiled.cohorts, person.number);
  const stored = { person: person?.properties ?? {}, groups: {}, cohorts };
  const evaluation = createEvaluation(compiled, subjectOf(distinctId), stored, now);
  return { isKnown: person !== null, result: evaluation.flag(flag), conditions: evaluation.trace(flag) };
}

function subjectOf(distinctId: string): FlagSubject {
  return { distinctId, deviceId: null, firstId: null, personProperties: {}, groups: {}, groupProperties: {} };
}
