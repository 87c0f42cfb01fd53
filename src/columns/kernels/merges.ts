/** Merged persons: columns have the person of the row, results the person it is now. Pure. */

/**
 * The number of a person after merges.
 * @param mergedInto by person number, the person it was merged into (0: none); null: there are no merges, or actors are no persons
 */
export function currentOf(mergedInto: Int32Array | null, person: number): number {
  return mergedInto !== null && person < mergedInto.length ? (mergedInto[person] as number) || person : person;
}
