/** A ClickHouse for a test file: the library behind the server of `clickhouse-server.ts`, installed by `npm run test:clickhouse`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ClickhouseFault } from './clickhouse-server.ts';

export interface TestClickhouse {
  readonly url: string;
  /** Sets what goes wrong next; null: nothing. */
  fail(fault: ClickhouseFault | null): Promise<void>;
  /** How often that is still to happen. */
  faultsLeft(): Promise<number>;
  /** Ends it at once, and starts it on the same port. @param isEmpty without its data */
  restart(isEmpty: boolean): Promise<void>;
  /** Ends it. */
  kill(): Promise<void>;
  /** Rows of a statement. */
  query<Row>(statement: string): Promise<Row[]>;
}

/** Starts it before the tests of the file, and ends it after them. */
export function useClickhouse(): TestClickhouse {
  const home = mkdtempSync(join(tmpdir(), 'luneta-clickhouse-'));
  let child: ChildProcess | null = null;
  let port = 0;
  let data = 0;

  async function start(): Promise<void> {
    const started = spawn(
      process.execPath,
      ['--no-warnings', 'test/kit/clickhouse-server.ts', join(home, `${data}`), `${port}`],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    child = started;
    for await (const line of createInterface({ input: started.stdout })) {
      port = Number(line);
      return;
    }
    throw new Error('ClickHouse did not start. Run: npm run test:clickhouse');
  }

  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  const clickhouse: TestClickhouse = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async fail(fault) {
      await fetch(`${clickhouse.url}/fault`, { method: 'POST', body: JSON.stringify(fault) });
    },
    async faultsLeft() {
      return Number(await (await fetch(`${clickhouse.url}/fault`)).text());
    },
    async restart(isEmpty) {
      await kill();
      if (isEmpty) data++;
      await start();
    },
    kill,
    async query<Row>(statement: string) {
      const answer = await fetch(clickhouse.url, {
        method: 'POST',
        body: /^select/i.test(statement)
          ? `${statement} settings output_format_json_quote_64bit_integers = 0 format JSONEachRow`
          : statement,
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
  };
  beforeAll(start);
  afterAll(async () => {
    await kill();
    rmSync(home, { recursive: true, force: true });
  });
  return clickhouse;
}
