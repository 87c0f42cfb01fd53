/** Definitions as servers read them that evaluate by themselves (`posthog-node`). Pure but for the hash. */
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { FlagCondition, FlagFilters } from './contract.ts';
import type { ProjectFlags } from './definitions.ts';
import type { CompiledFlag } from './evaluation/compile.ts';
import { asksServer } from './values.ts';

export interface LocalDefinitions {
  body: string;
  etag: string;
}

/**
 * A cohort that no client has: it makes one that cannot rule a condition out ask us. A client that lacks a property goes on to the next
 * condition, which is right unless that one gives something else.
 */
const ASK_SERVER: JsonObject = { key: 'id', type: 'cohort', operator: 'in', value: 0 };

export function localDefinitions({ compiled, groupTypes }: ProjectFlags): LocalDefinitions {
  const body = JSON.stringify({
    flags: compiled.list.map((flag) => localFlag(flag, compiled.byKey)),
    group_type_mapping: Object.fromEntries(groupTypes),
    cohorts: {},
    property_matching_version: 2,
    minimal_flag_called_events: false,
  });
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function localFlag(flag: CompiledFlag, byKey: ReadonlyMap<string, CompiledFlag>): JsonObject {
  const { id, key, version, definition } = flag;
  const { filters, ...rest } = definition;
  const own = filters.groups.map((condition, at) => localCondition(condition, filters, at, byKey));
  const groups = flag.enrollment === null ? own : afterChoice(flag.enrollment, own);
  // Clients look at the holdout before conditions; what a person chose comes before it.
  const asksAlways = flag.enrollment !== null && filters.holdout != null;
  return {
    id,
    key,
    name: key,
    version,
    deleted: false,
    has_experiment: false,
    ...rest,
    filters: {
      ...filters,
      ...(asksAlways ? { holdout: null, groups: [{ properties: [ASK_SERVER], rollout_percentage: 100 }] } : { groups }),
    } as unknown as JsonObject,
  };
}

/** People who opted in have the flag, even if no condition matches; people who opted out do not. A client that lacks the property asks us. */
function afterChoice(property: string, conditions: readonly JsonObject[]): JsonObject[] {
  const chose = (operator: 'exact' | 'is_not', value: 'true' | 'false'): JsonObject => ({
    key: property,
    type: 'person',
    operator,
    value: [value],
  });
  return [
    { properties: [chose('exact', 'true')], rollout_percentage: 100, aggregation_group_type_index: null },
    ...conditions.map((condition) => ({
      ...condition,
      properties: [chose('is_not', 'false'), ...(condition['properties'] as JsonObject[])],
    })),
  ];
}

function localCondition(
  condition: FlagCondition,
  filters: FlagFilters,
  at: number,
  byKey: ReadonlyMap<string, CompiledFlag>,
): JsonObject {
  const properties = condition.properties.map((property): JsonValue => {
    if (property.type !== 'flag') return property as JsonObject;
    return { ...property, dependency_chain: dependencyChain(property.key, byKey) } as JsonObject;
  });
  const asks = asksServer(filters, at) ? [ASK_SERVER] : [];
  return { ...condition, properties: [...asks, ...properties] } as unknown as JsonObject;
}

/** All that a flag depends on, each after what it depends on, and the flag itself at the end. */
export function dependencyChain(key: string, byKey: ReadonlyMap<string, CompiledFlag>): string[] {
  const chain = new Set<string>();
  const visit = (each: string, above: ReadonlySet<string>) => {
    if (chain.has(each) || above.has(each)) return;
    const within = new Set(above).add(each);
    const flag = byKey.get(each);
    for (const { properties } of flag?.conditions ?? []) {
      for (const property of properties) if (property.flagValue !== null) visit(property.key, within);
    }
    chain.add(each);
  };
  visit(key, new Set());
  return [...chain];
}
