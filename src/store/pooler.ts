/** Connections through a pooler: which they are, and what is different on them. */
import type { ClientBase } from 'pg';

/** Poolers differ in what they make of a message that holds several statements. */
const pooledClients = new WeakSet<ClientBase>();

/** True when a pooler is between this process and the server. */
export function isBehindPooler(client: ClientBase): boolean {
  return pooledClients.has(client);
}

/** Takes the names off prepared statements: the next transaction may run on another connection. */
export function asPooled(client: ClientBase): void {
  pooledClients.add(client);
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  const unnamed = (first: unknown, ...rest: unknown[]) => {
    const isNamed = typeof first === 'object' && first !== null && 'name' in first && 'text' in first;
    return query(isNamed ? { ...first, name: undefined } : first, ...rest);
  };
  client.query = unnamed as typeof client.query;
}
