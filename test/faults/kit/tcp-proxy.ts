/** A TCP proxy that can misbehave: refuse, go silent, delay, reset, or cut after a number of bytes. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A host and port, or a unix socket. */
export type ProxyTarget = { host: string; port: number } | { path: string };

export type ProxyMode =
  | { kind: 'pass' }
  /** New connections are closed at once, open ones are reset. */
  | { kind: 'refuse' }
  /** Nothing is passed on and nothing is closed. */
  | { kind: 'silent' }
  /** Everything arrives this much later. */
  | { kind: 'delay'; ms: number }
  /** Each connection is reset after so many bytes towards the client. */
  | { kind: 'cut'; afterBytes: number };

export interface TcpProxy {
  port: number;
  set(mode: ProxyMode): void;
  /** Resets every open connection. */
  reset(): void;
  close(): Promise<void>;
}

/** @param next asked for each connection; null refuses it */
export async function startProxy(next: () => ProxyTarget | null, host = '127.0.0.1', port = 0): Promise<TcpProxy> {
  let mode: ProxyMode = { kind: 'pass' };
  const pairs = new Set<{ client: Socket; server: Socket }>();
  const held: (() => void)[] = [];

  function pass(to: Socket, chunk: Buffer): void {
    const write = () => void (to.writable && to.write(chunk));
    if (mode.kind === 'silent') held.push(write);
    else if (mode.kind === 'delay') setTimeout(write, mode.ms);
    else write();
  }

  const listener: Server = createServer({ allowHalfOpen: true }, (client) => {
    const target = mode.kind === 'refuse' ? null : next();
    if (target === null) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...target, allowHalfOpen: true });
    const pair = { client, server };
    pairs.add(pair);
    let passed = 0;
    client.on('data', (chunk: Buffer) => pass(server, chunk));
    server.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (mode.kind === 'cut' && passed > mode.afterBytes) client.resetAndDestroy();
      else pass(client, chunk);
    });
    client.on('end', () => mode.kind !== 'silent' && server.end());
    server.on('end', () => mode.kind !== 'silent' && client.end());
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        if (mode.kind !== 'silent') other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(port, host, resolve));

  const reset = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };
  return {
    port: (listener.address() as AddressInfo).port,
    set(wanted) {
      mode = wanted;
      if (mode.kind === 'refuse') reset();
      if (mode.kind === 'pass') for (const write of held.splice(0)) write();
    },
    reset,
    close() {
      reset();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}
