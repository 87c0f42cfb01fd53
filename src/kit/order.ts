/** Compares by bytes, as PostgreSQL's collation "C". */
export function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
