import type { ColumnBytes } from '../storage/format.ts';

/** A chunk as a question reads it: stored, kept of rows that are not sealed, or made for this question. */
export interface GatheredChunk {
  /** Null: made for this question. Below 0: of rows that are not sealed, and kept until they are. */
  id: number | null;
  rows: number;
  minTs: number;
  maxTs: number;
  columns: Record<string, ColumnBytes | undefined>;
  /** Some of its columns are on their way until then; absent: all are there. */
  arrival?: Promise<void> | undefined;
  /** Of visits: numbers with a newer state in another chunk. */
  except: number[];
  /** Of stored events: names of packed properties (null: any) and the bits of their hash. */
  packed?: { names: readonly string[] | null; bits: number } | null;
}
