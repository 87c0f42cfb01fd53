/** A flag while it is written: everything as text, with keys for lists. */
import type { Flag, FlagCondition, FlagDefinition, FlagProperty } from '#src/flags/contract.ts';
import { type FlagOperator, operatorKinds } from '#src/flags/values.ts';

export interface DraftProperty {
  id: number;
  type: FlagProperty['type'];
  key: string;
  operator: FlagOperator;
  values: string[];
}

export interface DraftCondition {
  id: number;
  properties: DraftProperty[];
  /** Percent. */
  rollout: string;
  /** '': by share. */
  variant: string;
  /** Fields that this screen does not show; kept as they are. */
  rest: Pick<FlagCondition, 'aggregation_group_type_index'>;
}

export interface DraftVariant {
  id: number;
  key: string;
  share: string;
  payload: string;
}

export interface Draft {
  key: string;
  description: string;
  active: boolean;
  hasVariants: boolean;
  /** Of a flag without variants. */
  payload: string;
  variants: DraftVariant[];
  conditions: DraftCondition[];
  /** `person`, `device`, or the number of a group type. */
  unit: string;
  continuity: boolean;
  earlyExit: boolean;
  runtime: FlagDefinition['evaluation_runtime'];
  /** Percent; '': nobody is held out. */
  holdout: string;
  holdoutId: string;
  note: string;
}

let unused = 0;
const nextId = () => unused++;

export const newProperty = (): DraftProperty => ({
  id: nextId(),
  type: 'person',
  key: '',
  operator: 'exact',
  values: [''],
});

export const newDependency = (flag: string): DraftProperty => ({
  id: nextId(),
  type: 'flag',
  key: flag,
  operator: 'flag_evaluates_to',
  values: ['true'],
});

export const newMembership = (cohort: number): DraftProperty => ({
  id: nextId(),
  type: 'cohort',
  key: 'id',
  operator: 'in',
  values: [String(cohort)],
});

export const newCondition = (): DraftCondition => ({
  id: nextId(),
  properties: [],
  rollout: '100',
  variant: '',
  rest: {},
});

export const newVariant = (key = '', share = ''): DraftVariant => ({ id: nextId(), key, share, payload: '' });

export function draftOf(flag: Flag | null): Draft {
  if (flag === null) {
    return {
      key: '',
      description: '',
      active: true,
      hasVariants: false,
      payload: '',
      variants: [newVariant('control', '50'), newVariant('test', '50')],
      conditions: [newCondition()],
      unit: 'person',
      continuity: false,
      earlyExit: false,
      runtime: 'all',
      holdout: '',
      holdoutId: '1',
      note: '',
    };
  }
  const { definition } = flag;
  const { filters } = definition;
  const payloads = filters.payloads ?? {};
  const variants = filters.multivariate?.variants ?? [];
  const device = definition.bucketing_identifier === 'device_id' ? 'device' : 'person';
  return {
    key: flag.key,
    description: flag.description,
    active: definition.active,
    hasVariants: variants.length > 0,
    payload: payloads['true'] ?? '',
    variants: variants.map(({ key, rollout_percentage }) => ({
      id: nextId(),
      key,
      share: String(rollout_percentage),
      payload: payloads[key] ?? '',
    })),
    conditions: filters.groups.map(conditionOf),
    unit: filters.aggregation_group_type_index == null ? device : String(filters.aggregation_group_type_index),
    continuity: definition.ensure_experience_continuity,
    earlyExit: filters.early_exit ?? false,
    runtime: definition.evaluation_runtime,
    holdout: filters.holdout ? String(filters.holdout.exclusion_percentage) : '',
    holdoutId: String(filters.holdout?.id ?? 1),
    note: '',
  };
}

/** Another text when the form has to start over. Turning a flag on or off keeps what is typed. */
export function versionKey({ id, description, definition }: Flag): string {
  return JSON.stringify([id, description, { ...definition, active: true }]);
}

function conditionOf({ properties, rollout_percentage, variant, ...rest }: FlagCondition): DraftCondition {
  return {
    id: nextId(),
    properties: properties.map(({ key, type, operator, value }) => ({
      id: nextId(),
      key,
      type,
      operator,
      values: (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String),
    })),
    rollout: rollout_percentage === null ? '100' : String(rollout_percentage),
    variant: variant ?? '',
    rest,
  };
}

/** As it is sent. @param flag what it was: what this screen does not show stays */
export function definitionOf(draft: Draft, flag: Flag | null): FlagDefinition {
  const before = flag?.definition;
  const group = /^\d$/.test(draft.unit) ? Number(draft.unit) : null;
  const variants = draft.hasVariants ? draft.variants : [];
  const payloads = draft.hasVariants
    ? variants.map(({ key, payload }) => [key.trim(), payload] as const)
    : [['true', draft.payload] as const];
  return {
    // A stored flag has a separate switch, which works at once.
    active: before?.active ?? draft.active,
    ensure_experience_continuity: draft.continuity,
    bucketing_identifier: draft.unit === 'device' ? 'device_id' : 'distinct_id',
    evaluation_runtime: draft.runtime,
    evaluation_contexts: before?.evaluation_contexts ?? [],
    filters: {
      groups: draft.conditions.map((condition) => sentCondition(condition, group, variants)),
      multivariate:
        variants.length === 0
          ? null
          : { variants: variants.map(({ key, share }) => ({ key: key.trim(), rollout_percentage: numberOf(share) })) },
      payloads: Object.fromEntries(payloads.filter(([, payload]) => payload.trim() !== '')),
      aggregation_group_type_index: group,
      holdout: isHeldOut(draft)
        ? { id: numberOf(draft.holdoutId), exclusion_percentage: numberOf(draft.holdout) }
        : null,
      early_exit: draft.earlyExit,
    },
  };
}

function sentCondition(
  { properties, rollout, variant, rest }: DraftCondition,
  group: number | null,
  variants: readonly DraftVariant[],
): FlagCondition {
  return {
    ...(group === null && rest),
    properties: properties.map(({ key, type, operator, values }) => ({
      key: key.trim(),
      type: type === 'flag' || type === 'cohort' ? type : group === null ? 'person' : 'group',
      operator,
      ...sentValue(operator, values),
    })),
    rollout_percentage: numberOf(rollout),
    variant: variants.some(({ key }) => key === variant) ? variant.trim() : null,
  };
}

function sentValue(operator: FlagOperator, values: readonly string[]): Pick<FlagProperty, 'value'> {
  const kind = operatorKinds[operator];
  const [first = ''] = values;
  if (kind === 'nothing') return {};
  if (kind === 'flag') return { value: first === 'true' ? true : first === 'false' ? false : first };
  if (kind === 'cohort') return { value: Number(first) };
  return { value: kind === 'values' ? [...values] : first };
}

function isHeldOut({ holdout }: Draft): boolean {
  return holdout.trim() !== '' && numberOf(holdout) !== 0;
}

/** Percents are written with a comma as well. */
export function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
}

export function sumOf(variants: readonly DraftVariant[]): number {
  return Math.round(variants.reduce((sum, { share }) => sum + numberOf(share), 0) * 1e6) / 1e6;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Names of the fields in which something is wrong or missing. */
export function wrongIn(draft: Draft): string[] {
  const isPercent = (text: string) => numberOf(text) >= 0 && numberOf(text) <= 100;
  return [
    ...(draft.key.trim() === '' ? ['key'] : []),
    ...(isHeldOut(draft) && !(isPercent(draft.holdout) && /^\s*\d{1,9}\s*$/.test(draft.holdoutId)) ? ['holdout'] : []),
    ...(!draft.hasVariants && draft.payload.trim() !== '' && !isJson(draft.payload) ? ['payload'] : []),
    ...(draft.hasVariants ? draft.variants : []).flatMap(({ id, key, share, payload }) => [
      ...(key.trim() === '' ? [`variant ${id}`] : []),
      ...(isPercent(share) ? [] : [`share ${id}`]),
      ...(payload.trim() !== '' && !isJson(payload) ? [`payload ${id}`] : []),
    ]),
    ...draft.conditions.flatMap((condition) => [
      ...(isPercent(condition.rollout) ? [] : [`rollout ${condition.id}`]),
      ...condition.properties.flatMap(({ id, key, operator, values }) => [
        ...(key.trim() === '' ? [`property ${id}`] : []),
        ...(operatorKinds[operator] !== 'nothing' && (values.length === 0 || values.some((value) => value === ''))
          ? [`value ${id}`]
          : []),
      ]),
    ]),
  ];
}
