/** A flag as it can be in another project: groups by their names, and without what that project does not have. Pure. */
import type { FlagCopyPlan, FlagDefinition } from './contract.ts';

export interface CopySource {
  definition: FlagDefinition;
  /** Names by number. */
  groupTypes: ReadonlyMap<number, string>;
  /** Names by id. */
  cohorts: ReadonlyMap<number, string>;
}

export interface CopyTarget {
  groupTypes: ReadonlyMap<number, string>;
  /** Keys of its flags with the values that a condition may ask for, besides `true` and `false`. */
  flags: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface PlannedCopy extends Pick<FlagCopyPlan, 'leftOut' | 'blocked'> {
  /** Null when it cannot be copied. */
  definition: FlagDefinition | null;
}

type LeftOut = FlagCopyPlan['leftOut'][number];
type Condition = FlagDefinition['filters']['groups'][number];

/**
 * Whole conditions are left out, never parts of them: a condition without one of its properties would reach more people. With early exit a
 * condition also keeps people from later ones, so none of it may be missing.
 */
export function planCopy({ definition, groupTypes, cohorts }: CopySource, target: CopyTarget): PlannedCopy {
  const { filters } = definition;
  const numbers = new Map([...target.groupTypes].map(([type, name]) => [name, type]));
  const typeIn = (type: number): number | undefined => numbers.get(groupTypes.get(type) ?? '');
  const nameOf = (type: number): string => groupTypes.get(type) ?? String(type);

  const unit = filters.aggregation_group_type_index ?? null;
  if (unit !== null && typeIn(unit) === undefined) {
    return { definition: null, leftOut: [], blocked: { reason: 'groupType', name: nameOf(unit) } };
  }

  const leftOut: LeftOut[] = [];
  const groups = filters.groups.flatMap((condition, at): Condition[] => {
    const missing = missingOf(condition);
    if (missing === null) return [withTypes(condition)];
    leftOut.push({ condition: at, ...missing });
    return [];
  });

  function missingOf({ properties, aggregation_group_type_index: own }: Condition): Omit<LeftOut, 'condition'> | null {
    if (own != null && typeIn(own) === undefined) return { reason: 'groupType', name: nameOf(own) };
    for (const { type, key, value } of properties) {
      if (type === 'cohort') return { reason: 'cohort', name: cohorts.get(Number(value)) ?? String(value) };
      const variants = type === 'flag' ? target.flags.get(key) : undefined;
      if (type !== 'flag') continue;
      if (variants === undefined || (typeof value === 'string' && !variants.has(value))) {
        return { reason: 'flag', name: key };
      }
    }
    return null;
  }

  function withTypes(condition: Condition): Condition {
    const own = condition.aggregation_group_type_index;
    return own == null ? condition : { ...condition, aggregation_group_type_index: typeIn(own) ?? null };
  }

  const [first] = leftOut;
  if (filters.early_exit === true && first !== undefined) {
    return { definition: null, leftOut, blocked: { reason: 'earlyExit', name: first.name } };
  }
  const mapped = unit === null ? {} : { aggregation_group_type_index: typeIn(unit) ?? null };
  return { definition: { ...definition, filters: { ...filters, ...mapped, groups } }, leftOut, blocked: null };
}
