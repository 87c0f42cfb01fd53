/** The step that reads what an event asks of its person. The persons room decides what comes of it. */
import { eventMarks } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isObject } from '../envelope.ts';
import { type Draft, put, type StepContext } from './draft.ts';
import { distinctIdOf } from './names.ts';

/** These tell of things, not of their person, whatever they carry. */
const LEAVES_PERSON_ALONE = new Set(['$exception', '$groupidentify']);
/** These are about nothing but the person or its groups. */
const ABOUT_PERSON = new Set(['$identify', '$create_alias', '$merge_dangerously', '$set', '$groupidentify']);

export function putPerson(draft: Draft, context: StepContext): null {
  const { raw, sent, person, event } = draft;
  if (draft.marks & eventMarks.personless) {
    person.process = false;
    if (ABOUT_PERSON.has(event)) context.warn('person_change_ignored', draft);
    return null;
  }
  if (!LEAVES_PERSON_ALONE.has(event)) {
    person.set = merged(sent['$set'], raw['$set']);
    person.setOnce = merged(sent['$set_once'], raw['$set_once']);
    person.unset = namesOf(raw['$unset'] ?? sent['$unset']);
  }
  switch (event) {
    case '$identify':
      person.identify = true;
      putMerge(draft, 'identify', sent['$anon_distinct_id']);
      break;
    case '$create_alias':
      putMerge(draft, 'alias', sent['alias']);
      break;
    case '$merge_dangerously':
      putMerge(draft, 'dangerously', sent['alias']);
      break;
    case '$groupidentify':
      putGroup(draft);
      break;
  }
  return null;
}

function putMerge(draft: Draft, kind: 'identify' | 'alias' | 'dangerously', other: JsonValue | undefined): void {
  const otherDistinctId = distinctIdOf(other);
  if (otherDistinctId === null || otherDistinctId === draft.distinctId) return;
  draft.person.merge = { kind, otherDistinctId };
}

function putGroup(draft: Draft): void {
  const { $group_type: type, $group_key: key, $group_set: set } = draft.sent;
  const groupKey = distinctIdOf(key);
  if (typeof type !== 'string' || type === '' || groupKey === null) return;
  draft.groupIdentify = { type: type.slice(0, 200), key: groupKey, set: isObject(set) ? set : {} };
}

const EMPTY: JsonObject = {};

/** What is said beside the properties wins over what is said among them. */
function merged(inner: JsonValue | undefined, outer: JsonValue | undefined): JsonObject {
  const below = isObject(inner) ? inner : null;
  const above = isObject(outer) ? outer : null;
  if (below === null) return above ?? EMPTY;
  if (above === null) return below;
  const both: JsonObject = {};
  for (const part of [below, above]) for (const name of Object.keys(part)) put(both, name, part[name] as JsonValue);
  return both;
}

function namesOf(unset: JsonValue | undefined): string[] {
  if (Array.isArray(unset)) return unset.filter((name) => typeof name === 'string');
  return isObject(unset) ? Object.keys(unset) : [];
}
