/** Validates a definition within its project, and normalizes it. Pure. */
import { AppError, invalid } from '#src/kit/errors.ts';
import type { Flag, FlagCondition, FlagDefinition, FlagFilters, FlagProperty } from './contract.ts';
import { compileTest } from './evaluation/match.ts';
import { operatorKinds } from './values.ts';

export interface CheckContext {
  /** The flag's own key. */
  key: string;
  /** The other flags of the project. */
  others: readonly Pick<Flag, 'key' | 'definition'>[];
  /** Numbers that the project has. */
  groupTypes: ReadonlySet<number>;
  /** Ids of the project's cohorts. */
  cohorts: ReadonlySet<number>;
}

/** Shares are entered with two decimals: more than rounding must not be missing. */
const SHARE_TOLERANCE = 1e-6;

/** The stored form. @throws AppError `invalid` with the field at fault, `conflict` for a cycle */
export function checkDefinition(definition: FlagDefinition, context: CheckContext): FlagDefinition {
  const { filters } = definition;
  const variants = checkVariants(filters);
  checkPayloads(filters, variants);
  if (filters.aggregation_group_type_index != null) checkGroupType(filters.aggregation_group_type_index, context, '');
  const groups = filters.groups.map((condition, at) => checkCondition(condition, { at, variants, filters, context }));
  const checked = { ...definition, filters: { ...filters, groups } };
  refuseCycle(checked, context);
  refuseBrokenDependents(variants, context);
  return checked;
}

/** @throws AppError `conflict` when other flags depend on it */
export function checkRemoval(key: string, others: readonly Pick<Flag, 'key' | 'definition'>[]): void {
  const [dependent] = others.filter(({ definition }) => dependenciesOf(definition).some((each) => each.key === key));
  if (dependent === undefined) return;
  throw new AppError('conflict', `The flag “${dependent.key}” depends on this one. Change that flag first.`);
}

function checkVariants({ multivariate }: FlagFilters): ReadonlySet<string> {
  const variants = multivariate?.variants ?? [];
  const keys = new Set(variants.map(({ key }) => key));
  const field = 'filters.multivariate';
  if (keys.size < variants.length) throw invalid(field, 'Each variant needs its own key.');
  if (keys.has('true') || keys.has('false')) throw invalid(field, 'A variant can’t be called “true” or “false”.');
  const total = variants.reduce((sum, { rollout_percentage }) => sum + rollout_percentage, 0);
  if (variants.length > 0 && Math.abs(total - 100) > SHARE_TOLERANCE) {
    throw invalid(field, 'The shares of the variants must add up to 100%.');
  }
  return keys;
}

function checkPayloads({ payloads }: FlagFilters, variants: ReadonlySet<string>): void {
  const known = variants.size > 0 ? variants : new Set(['true']);
  const unknown = Object.keys(payloads ?? {}).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalid('filters.payloads', `No variant “${unknown}” for this payload.`);
}

interface ConditionContext {
  at: number;
  variants: ReadonlySet<string>;
  filters: FlagFilters;
  context: CheckContext;
}

function checkCondition(condition: FlagCondition, { at, variants, filters, context }: ConditionContext): FlagCondition {
  const field = `filters.groups.${at}`;
  const { variant, aggregation_group_type_index: own } = condition;
  if (variant != null && !variants.has(variant)) throw invalid(`${field}.variant`, `Unknown variant “${variant}”.`);
  if (own != null) {
    if (filters.aggregation_group_type_index != null) {
      throw invalid(field, 'The flag is for groups already: its conditions can’t choose their own group type.');
    }
    checkGroupType(own, context, field);
  }
  return {
    ...condition,
    properties: condition.properties.map((property, nth) =>
      checkProperty(
        property,
        `${field}.properties.${nth}`,
        context,
        own ?? filters.aggregation_group_type_index ?? null,
      ),
    ),
  };
}

function checkGroupType(type: number, { groupTypes }: CheckContext, field: string): void {
  if (!groupTypes.has(type)) throw invalid(field, 'This project has no such group type yet.');
}

function checkProperty(
  property: FlagProperty,
  field: string,
  context: CheckContext,
  groupType: number | null,
): FlagProperty {
  const kind = operatorKinds[property.operator];
  for (const own of ['flag', 'cohort'] as const) {
    if ((kind === own) !== (property.type === own)) throw invalid(field, 'Invalid operator for this property.');
  }
  if (kind === 'flag') return checkDependency(property, field, context);
  if (kind === 'cohort') {
    if (groupType !== null) throw invalid(field, 'Cohorts are of people: a condition for groups can’t use one.');
    if (!context.cohorts.has(Number(property.value))) throw invalid(field, 'Select a cohort of this project.');
    return { ...property, key: 'id', value: Number(property.value) };
  }
  if (kind === 'nothing') {
    const { value: _, ...rest } = property;
    return rest;
  }
  const kept = { ...property, value: textsOf(property, kind === 'values') };
  if (compileTest(kept) === null) throw invalid(field, messages[kind]);
  return kept;
}

const messages = {
  values: 'Enter at least one value.',
  text: 'Enter a text.',
  pattern: 'Invalid regular expression. Check the brackets; lookarounds and backreferences are not supported.',
  number: 'Enter a number.',
  date: 'Enter a date, such as 2026-11-26, or an age, such as -7d.',
  version: 'Enter a version, such as 1.2.3.',
};

/** Numbers as texts: a client cannot tell `25` from `25.0`, texts it can compare. */
function textsOf({ value }: FlagProperty, isList: boolean): FlagProperty['value'] {
  const asText = (each: string | number | boolean) => (typeof each === 'number' ? String(each) : each);
  if (Array.isArray(value)) return isList ? value.map(asText) : undefined;
  return value === undefined ? undefined : asText(value);
}

function checkDependency(property: FlagProperty, field: string, { others, key }: CheckContext): FlagProperty {
  if (property.key === key) throw new AppError('conflict', 'A flag can’t depend on itself.', { field });
  const flag = others.find((each) => each.key === property.key);
  if (flag === undefined) throw invalid(field, `Unknown flag “${property.key}”.`);
  const { value } = property;
  const variants = flag.definition.filters.multivariate?.variants ?? [];
  if (typeof value === 'boolean' || variants.some((variant) => variant.key === value)) return property;
  throw invalid(field, `“${property.key}” can’t have this value.`);
}

function dependenciesOf({ filters }: FlagDefinition): FlagProperty[] {
  return filters.groups.flatMap(({ properties }) => properties.filter(({ type }) => type === 'flag'));
}

function refuseCycle(definition: FlagDefinition, { key, others }: CheckContext): void {
  const byKey = new Map(others.map((each) => [each.key, each.definition]));
  const seen = new Set<string>();
  const waiting = dependenciesOf(definition).map((each) => each.key);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === key) throw new AppError('conflict', 'These flags would depend on each other in a circle.');
    const below = seen.has(next) ? undefined : byKey.get(next);
    seen.add(next);
    if (below !== undefined) waiting.push(...dependenciesOf(below).map((each) => each.key));
  }
}

/** Others may wait for a variant that goes. */
function refuseBrokenDependents(variants: ReadonlySet<string>, { key, others }: CheckContext): void {
  const broken = others.find(({ definition }) =>
    dependenciesOf(definition).some(
      (each) => each.key === key && typeof each.value === 'string' && !variants.has(each.value),
    ),
  );
  if (broken === undefined) return;
  throw new AppError('conflict', `The flag “${broken.key}” depends on a variant that would be gone.`);
}
