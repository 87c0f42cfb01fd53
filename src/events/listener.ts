/**
 * One LISTEN of the process: a connection of its own past any pooler, made again with growing pauses when it is lost, and
 * probed, because a connection that a firewall forgot stays silent for ever.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '#src/kit/log.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;
const probeEveryMs = 15_000;
const probeLimitMs = 5_000;
const endLimitMs = 1_000;

export interface ListenerOptions {
  /** Makes an unconnected client. */
  open(): Client;
  channel: string;
  log: Log;
  onMessage(payload: string): void;
  /** Called when messages begin to arrive and when they cease to: between the two, some were missed. */
  onChange(listening: boolean): void;
}

export interface Listener {
  stop(): Promise<void>;
}

/** Listens until stopped. Failures are logged and cured, never thrown. */
export function startListener({ open, channel, log, onMessage, onChange }: ListenerOptions): Listener {
  const stopping = new AbortController();

  async function listenOnce(): Promise<void> {
    const client = open();
    const lost = new Promise<Error>((resolve) => {
      client.on('error', resolve);
      client.on('end', () => resolve(new Error('the connection ended')));
      stopping.signal.addEventListener('abort', () => resolve(new Error('stopping')), { once: true });
    });
    client.on('notification', (message) => onMessage(message.payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onChange(true);
      const reason = await Promise.race([lost, untilSilent(client)]);
      if (!stopping.signal.aborted) throw reason;
    } finally {
      onChange(false);
      const ended = client
        .end()
        .catch((error: unknown) => log.debug({ err: error }, 'a lost connection could not be ended'));
      await Promise.race([ended, sleep(endLimitMs, null, { ref: false })]);
    }
  }

  /** Resolves when the server no longer answers. */
  async function untilSilent(client: Client): Promise<Error> {
    while (await pause(probeEveryMs)) {
      const answer = client.query('select').then(
        () => null,
        (error: Error) => error,
      );
      const failure = await Promise.race([answer, pause(probeLimitMs).then(() => new Error('the server is silent'))]);
      if (failure !== null) return failure;
    }
    return new Error('stopping');
  }

  /** False when stopping ended the wait. */
  function pause(ms: number): Promise<boolean> {
    return sleep(ms, true, { ref: false, signal: stopping.signal }).catch(() => false);
  }

  async function listen(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      try {
        await listenOnce();
      } catch (error) {
        if (performance.now() - begun > longestPauseMs) pauseMs = firstPauseMs;
        log.warn({ err: error, channel, retryInMs: pauseMs }, 'lost the connection for live updates');
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }

  const listening = listen();
  return {
    stop() {
      stopping.abort();
      return listening;
    },
  };
}
