/** DuckDB for comparison, where it is installed: `npm install --prefix bench/duckdb`. Has a package of its own, since nobody else needs its 70 MB. */

export interface Duckdb {
  run(text: string): Promise<void>;
  /** The only row, or the first, as plain values. */
  rows(text: string): Promise<Record<string, unknown>[]>;
}

/** What is used of the package. */
interface Module {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        run(text: string): Promise<unknown>;
        runAndReadAll(text: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
      }>;
    }>;
  };
}

/** @param path of its file. Null when it is not installed. */
export async function openDuckdb(path: string): Promise<Duckdb | null> {
  const name = '@duckdb/node-api';
  let module: Module;
  try {
    module = (await import(name)) as Module;
  } catch {
    return null; // not installed, which is what most want
  }
  const connection = await (await module.DuckDBInstance.create(path)).connect();
  return {
    async run(text) {
      await connection.run(text);
    },
    rows: async (text) => (await connection.runAndReadAll(text)).getRowObjectsJson(),
  };
}
