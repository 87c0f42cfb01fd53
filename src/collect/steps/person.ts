/** Reads an event's person change. The persons room applies it. */
import { eventMarks, type PersonChange } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isObject } from '../envelope.ts';
import { type Draft, NO_WISH, PERSONLESS, put, type StepContext } from './draft.ts';
import { distinctIdOf } from './names.ts';

/** Events that never change their person. */
const LEAVES_PERSON_ALONE = new Set(['$exception', '$groupidentify']);
/** These are about nothing but the person or its groups. */
const ABOUT_PERSON = new Set(['$identify', '$create_alias', '$merge_dangerously', '$set', '$groupidentify']);

export function putPerson(draft: Draft, context: StepContext): null {
  const { raw, sent, event } = draft;
  if (draft.marks & eventMarks.personless) {
    draft.person = PERSONLESS;
    if (ABOUT_PERSON.has(event)) context.warn('person_change_ignored', draft);
    return null;
  }
  if (event === '$groupidentify') putGroup(draft);
  if (LEAVES_PERSON_ALONE.has(event)) return null;
  const set = withoutSettings(merged(sent['$set'], raw['$set']));
  const setOnce = withoutSettings(merged(sent['$set_once'], raw['$set_once']));
  const unset = united(namesOf(sent['$unset']), namesOf(raw['$unset']));
  const identify = event === '$identify';
  const merge = mergeOf(draft);
  if (merge === null && namesNobody(draft)) context.warn('illegal_id', draft);
  if (set !== EMPTY || setOnce !== EMPTY || unset !== NO_NAMES || identify || merge !== null) {
    draft.person = { process: true, set, setOnce, unset, identify, merge };
  }
  return null;
}

/** The other id that the event wants merged into its own. */
function mergeOf({ event, sent, distinctId }: Draft): PersonChange['merge'] {
  switch (event) {
    case '$identify':
      return mergeWith('identify', sent['$anon_distinct_id'], distinctId);
    case '$create_alias':
      return mergeWith('alias', sent['alias'], distinctId);
    case '$merge_dangerously':
      return mergeWith('dangerously', sent['alias'], distinctId);
    default:
      return null;
  }
}

function mergeWith(
  kind: 'identify' | 'alias' | 'dangerously',
  other: JsonValue | undefined,
  own: string,
): PersonChange['merge'] {
  const otherDistinctId = distinctIdOf(other);
  return otherDistinctId === null || otherDistinctId === own ? null : { kind, otherDistinctId };
}

/** True when the other id of a merge is blank or missing; `$identify` needs no other id. */
function namesNobody({ event, sent }: Draft): boolean {
  if (event === '$identify') return typeof sent['$anon_distinct_id'] === 'string' && isBlank(sent['$anon_distinct_id']);
  return (event === '$create_alias' || event === '$merge_dangerously') && isBlank(sent['alias']);
}

function isBlank(id: JsonValue | undefined): boolean {
  return distinctIdOf(id) === null;
}

function putGroup(draft: Draft): void {
  const { $group_type: type, $group_key: key, $group_set: set } = draft.sent;
  if (typeof type !== 'string' || type === '' || key === undefined || key === null) return;
  const groupKey = typeof key === 'string' ? key : JSON.stringify(key);
  if (groupKey.trim() === '') return;
  // The persons room cuts both, as it does those that events name.
  draft.groupIdentify = { type, key: groupKey, set: isObject(set) ? set : {} };
}

const { set: EMPTY, unset: NO_NAMES } = NO_WISH;

/** Values beside the properties take precedence over those among them. */
function merged(inner: JsonValue | undefined, outer: JsonValue | undefined): JsonObject {
  const below = isObject(inner) ? inner : null;
  const above = isObject(outer) ? outer : null;
  if (below === null) return above ?? EMPTY;
  if (above === null) return below;
  const both: JsonObject = {};
  for (const part of [below, above]) for (const name of Object.keys(part)) put(both, name, part[name] as JsonValue);
  return both;
}

/** How an event is to be processed is nothing about its person. */
const GEO_OFF = '$geoip_disable';

function withoutSettings(properties: JsonObject): JsonObject {
  if (!Object.hasOwn(properties, GEO_OFF)) return properties;
  const { [GEO_OFF]: _, ...own } = properties;
  return Object.keys(own).length > 0 ? own : EMPTY;
}

/** The union of both lists. */
function united(inner: string[], outer: string[]): string[] {
  if (inner === NO_NAMES) return outer;
  return outer === NO_NAMES ? inner : [...new Set([...inner, ...outer])];
}

function namesOf(unset: JsonValue | undefined): string[] {
  if (Array.isArray(unset)) return unset.filter((name) => typeof name === 'string');
  return isObject(unset) ? Object.keys(unset) : NO_NAMES;
}
