/** Whether a number counts groups or people. Pure. */
import { isGroupSubject } from '#src/columns/values.ts';

/** True when the number at a point of a result counts the groups of a type. */
export function countsGroups(input: object, point: unknown): boolean {
  const { per, series } = input as { per?: unknown; series?: readonly { measure?: unknown; per?: unknown }[] };
  if (isGroupSubject(per)) return true;
  const at = (point as { series?: unknown } | null)?.series;
  if (typeof at !== 'number') return false;
  return isGroupSubject(series?.[at]?.measure) || isGroupSubject(series?.[at]?.per);
}
