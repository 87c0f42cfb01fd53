/** Throws the collected failures of independent work. @throws the failure; an AggregateError for several */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  const [first] = failures;
  if (failures.length === 1) throw first;
  const message = first instanceof Error ? first.message : String(first);
  throw new AggregateError(failures, `${failures.length} errors. First error: ${message}`);
}
