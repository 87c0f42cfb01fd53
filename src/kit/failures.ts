/** Of work for many of which none keeps the others waiting. @throws what failed; where it is more than one, an AggregateError of all */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  const [first] = failures;
  if (failures.length === 1) throw first;
  const message = first instanceof Error ? first.message : String(first);
  throw new AggregateError(failures, `${failures.length} errors. First error: ${message}`);
}
