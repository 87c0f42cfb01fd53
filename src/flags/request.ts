/** Parses a client's request: subject and flags. Unknown and invalid fields are ignored. Pure. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { FlagSubject } from './contract.ts';

export interface FlagRequest {
  /** Null: no subject, so there are no flags. */
  subject: Omit<FlagSubject, 'firstId'> | null;
  /** The id of before sign-in. */
  anonymousId: string | null;
  /** Only these; null: all. */
  keys: ReadonlySet<string> | null;
  /** Contexts that the request is for; empty: any. */
  contexts: ReadonlySet<string>;
  runtime: 'all' | 'client' | 'server';
}

/** @param isBrowser whether headers say that a browser asks: flags for servers are not for it */
export function readFlagRequest(body: JsonValue, isBrowser: boolean): FlagRequest {
  const fields = isObject(body) ? body : {};
  const { disable_flags, evaluation_runtime: runtime } = fields;
  const properties = objectOf(fields['person_properties']);
  const distinctId = idOf(fields['distinct_id'] ?? fields['$distinct_id']);
  const keys = textsOf(fields['flag_keys_to_evaluate'] ?? fields['flag_keys']);
  return {
    subject:
      distinctId === null || disable_flags === true
        ? null
        : {
            distinctId,
            deviceId: idOf(fields['$device_id']) ?? idOf(properties['$device_id']),
            personProperties: properties,
            groups: groupsOf(fields['groups'] ?? fields['$groups']),
            groupProperties: groupPropertiesOf(fields['group_properties']),
          },
    anonymousId: idOf(fields['$anon_distinct_id']),
    keys: keys && new Set(keys),
    contexts: new Set(textsOf(fields['evaluation_contexts'] ?? fields['evaluation_environments']) ?? []),
    runtime: runtime === 'client' || runtime === 'server' ? runtime : isBrowser ? 'client' : 'all',
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Clients send numbers as well. */
function idOf(value: JsonValue | undefined): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : null;
}

function textsOf(value: JsonValue | undefined): string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}

/** Group keys by type; invalid ids are skipped. */
function groupsOf(value: JsonValue | undefined): Record<string, string> {
  const named = Object.entries(objectOf(value)).flatMap(([type, key]) => {
    const id = idOf(key);
    return id === null ? [] : [[type, id] as const];
  });
  return Object.fromEntries(named);
}

function groupPropertiesOf(value: JsonValue | undefined): Record<string, JsonObject> {
  const described = Object.entries(objectOf(value)).filter(([, properties]) => isObject(properties));
  return Object.fromEntries(described) as Record<string, JsonObject>;
}
