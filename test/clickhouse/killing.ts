/** Processes of PostgreSQL's clients that are killed at a statement. */
import { Client } from 'pg';

/** Before PostgreSQL gets the statement, when it was sent, or after it is done. */
type When = 'before' | 'sent' | 'after';

interface Killing {
  /** In the first statement of the connections that are meant. */
  first: RegExp;
  when: When;
}

/** Ends the connections that begin so at one of their statements, as if their process were killed. */
export function killAt(at: number, { first: begins, when }: Killing): { isKilled(): boolean; restore(): void } {
  const original = Client.prototype.query as (...given: unknown[]) => unknown;
  const meant = new Set<Client>();
  let seen = 0;
  let isKilled = false;
  Client.prototype.query = function query(this: Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    if (begins.test(text)) meant.add(this);
    if (!meant.has(this) || isKilled || seen++ < at) return original.apply(this, given);
    isKilled = true;
    const end = () => {
      for (const client of meant)
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    };
    if (when === 'before') end();
    const answer = original.apply(this, given);
    // A copy of rows is no promise: what it reads changes nothing.
    if (when === 'sent' || !(answer instanceof Promise)) end();
    else if (when === 'after') {
      return answer.then(() => {
        end();
        throw new Error('killed');
      });
    }
    return answer;
  } as typeof Client.prototype.query;
  return {
    isKilled: () => isKilled,
    restore() {
      Client.prototype.query = original as typeof Client.prototype.query;
    },
  };
}
