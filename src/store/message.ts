/**
 * Statements that are asked for within one turn of the loop go to PostgreSQL in one message and are answered in one: a transaction of
 * many small statements costs both sides mostly the waking up. When one fails, those behind it are not executed (they fail with
 * `SkippedError`), a commit among them included.
 * @see PostgreSQL manual, "Message Flow", "Pipelining": one Sync for all of them
 */
import pg, { type ClientBase, type Connection, type PoolClient, type QueryResult, type Submittable } from 'pg';
import { CopyIn } from './copy.ts';
import { SkippedError } from './db.ts';
import { isBehindPooler } from './pooler.ts';

/** A view of a connection: what is asked through it is sent at the end of the turn. Behind a pooler, statement by statement. */
export function inMessages(client: PoolClient): PoolClient {
  let waiting: Statement[] = [];

  function send(): void {
    const statements = waiting;
    waiting = [];
    if (isBehindPooler(client)) void sendEach(client, statements);
    else client.query(new Message(client, statements));
  }

  function query(asked: CopyIn | string | PreparedStatement, given?: unknown[]): unknown {
    if (waiting.length === 0) process.nextTick(send);
    if (asked instanceof CopyIn) {
      waiting.push(
        new Statement(
          { text: asked.text, name: asked.keptAs },
          asked.messages,
          () => asked.handleReadyForQuery(),
          asked.callback,
        ),
      );
      return asked;
    }
    return new Promise<QueryResult>((resolve, reject) => {
      const { values = given, ...rest } = typeof asked === 'string' ? { text: asked } : asked;
      const mapped = values?.map((value) => prepareValue(value));
      waiting.push(new Statement(mapped ? { ...rest, values: mapped } : rest, null, resolve, reject));
    });
  }

  return Object.create(client, { query: { value: query } }) as PoolClient;
}

/**
 * Waits for all of them, so that nothing is under way any more when one has failed.
 * @throws what the first one failed with that failed by itself
 */
export async function together<Works extends readonly unknown[]>(
  works: readonly [...Works],
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  const results = await Promise.allSettled(works);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((failure) => !(failure instanceof SkippedError)) ?? failures[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Works]: Awaited<Works[Index]>;
  };
}

/** A statement with its values. */
export interface PreparedStatement {
  text: string;
  values?: unknown[];
  /** Keeps the statement prepared. */
  name?: string | undefined;
}

class Statement {
  readonly asked: PreparedStatement;
  readonly copied: Buffer | null;
  readonly done: (result: QueryResult) => void;
  readonly failed: (error: Error) => void;
  result: ResultBuilder | null = null;

  constructor(
    asked: PreparedStatement,
    copied: Buffer | null,
    done: (result: QueryResult) => void,
    failed: (error: Error) => void,
  ) {
    this.asked = asked;
    this.copied = copied;
    this.done = done;
    this.failed = failed;
  }
}

async function sendEach(client: PoolClient, statements: readonly Statement[]): Promise<void> {
  let failure: unknown = null;
  for (const { asked, copied, done, failed } of statements) {
    if (failure !== null) {
      failed(new SkippedError(failure));
      continue;
    }
    try {
      if (copied === null) done(await client.query(asked));
      else {
        await new Promise<void>((resolve, reject) => {
          client.query(new CopyIn(asked.text, copied, (error) => (error ? reject(error) : resolve())));
        });
        done(NO_ROWS);
      }
    } catch (error) {
      failure = error;
      failed(error as Error);
    }
  }
}

/** Members of the driver's class that its types omit. */
interface ResultBuilder extends QueryResult {
  addFields(fields: unknown): void;
  parseRow(fields: unknown): Record<string, unknown>;
  addRow(row: Record<string, unknown>): void;
  addCommandComplete(message: unknown): void;
}
const { Result, utils } = pg as unknown as {
  Result: new (rowMode: undefined, types: unknown) => ResultBuilder;
  utils: { prepareValue(value: unknown): unknown };
};
const { prepareValue } = utils;
const NO_ROWS = { rows: [] as unknown[] } as QueryResult;

/** Names that a connection keeps prepared, and those of which that is not certain after a failure. */
interface Kept {
  names: Set<string>;
  doubtful: Set<string>;
}
const keptOf = new WeakMap<Connection, Kept>();

class Message implements Submittable {
  private readonly statements: readonly Statement[];
  private readonly types: unknown;
  private at = 0;
  private parsed: string[] = [];
  private kept: Kept = { names: new Set(), doubtful: new Set() };
  private parsing: Error | null = null;
  /** The driver puts its time limit around this. */
  callback: (error: Error | null) => void;

  constructor(client: ClientBase, statements: readonly Statement[]) {
    this.statements = statements;
    this.types = client;
    this.callback = (error) => {
      if (error) this.end(error);
    };
  }

  submit(connection: Connection): void {
    this.kept = keptOf.get(connection) ?? this.kept;
    keptOf.set(connection, this.kept);
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.write(connection, statement);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  private write(connection: Connection, { asked: { text, name = '', values = [] }, copied }: Statement): void {
    const own = name === '' ? '' : `message ${name}`;
    if (own === '' || !this.kept.names.has(own)) {
      if (this.kept.doubtful.delete(own)) connection.close({ type: 'S', name: own }, true);
      connection.parse({ name: own, text, types: [] }, true);
      if (own !== '') {
        this.kept.names.add(own);
        this.parsed.push(own);
      }
    }
    connection.bind({ portal: '', statement: own, values: values as string[], binary: false } as never, true);
    if (copied === null) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '', rows: '' } as never, true);
    if (copied !== null) connection.stream.write(copied);
  }

  handleRowDescription({ fields }: { fields: unknown }): void {
    const statement = this.statements[this.at] as Statement;
    statement.result = new Result(undefined, this.types);
    statement.result.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown }): void {
    if (this.parsing !== null) return;
    const { result } = this.statements[this.at] as Statement;
    try {
      if (result !== null) result.addRow(result.parseRow(fields));
    } catch (error) {
      this.parsing = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.at++;
  }

  handleEmptyQuery(): void {
    this.at++;
  }

  handleCopyInResponse(): void {
    // The data is on its way already.
  }

  handleError(error: Error): void {
    for (const name of this.parsed) {
      this.kept.names.delete(name);
      this.kept.doubtful.add(name);
    }
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.parsing);
    if (this.parsing !== null) return;
    for (const { done, result } of this.statements) done(result ?? NO_ROWS);
  }

  /** Statements before the failed one have resolved for their callers, and their rows may be used. */
  private end(error: Error): void {
    this.statements.forEach(({ done, failed, result }, place) => {
      if (place < this.at) done(result ?? NO_ROWS);
      else failed(place === this.at || this.parsing !== null ? error : new SkippedError(error));
    });
  }
}
