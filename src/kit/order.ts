/** By the bytes of the text, as PostgreSQL's collation "C" has it. */
export function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
