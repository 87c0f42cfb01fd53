/**
 * The process's single LISTEN connection for all channels. It bypasses poolers, reconnects with
 * backoff, and is probed, because a connection dropped by a firewall stays silent.
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
  channels: readonly string[];
  log: Log;
}

export interface Subscriber {
  onMessage(payload: string): void;
  /** Called when messages begin to arrive and when they cease to: between the two, some were missed. */
  onChange(listening: boolean): void;
}

/** Subscription to a channel of the listener. */
export interface Notices {
  /** @returns unsubscribes */
  subscribe(channel: string, subscriber: Subscriber): () => void;
}

export interface Listener extends Notices {
  stop(): Promise<void>;
}

/** Listens until stopped. Failures are logged and cured, never thrown. */
export function startListener({ open, channels, log }: ListenerOptions): Listener {
  const stopping = new AbortController();
  const subscribers = new Map<string, Set<Subscriber>>(channels.map((channel) => [channel, new Set()]));
  let isListening = false;
  let hasSaidLost = false;

  function change(listening: boolean): void {
    isListening = listening;
    for (const each of subscribers.values()) for (const { onChange } of each) onChange(listening);
  }

  async function listenOnce(): Promise<void> {
    const client = open();
    const lost = new Promise<Error>((resolve) => {
      client.on('error', resolve);
      client.on('end', () => resolve(new Error('connection closed')));
      stopping.signal.addEventListener('abort', () => resolve(new Error('stopping')), { once: true });
    });
    client.on('notification', ({ channel, payload }) => {
      for (const { onMessage } of subscribers.get(channel) ?? []) onMessage(payload ?? '');
    });
    try {
      await client.connect();
      await client.query(channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`).join('; '));
      change(true);
      if (hasSaidLost) log.info({ channels }, 'listening to the database again');
      hasSaidLost = false;
      const reason = await Promise.race([lost, untilSilent(client)]);
      if (!stopping.signal.aborted) throw reason;
    } finally {
      change(false);
      const ended = client
        .end()
        .catch((error: unknown) => log.debug({ err: error }, 'failed to close a lost connection'));
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
      const failure = await Promise.race([
        answer,
        pause(probeLimitMs).then(() => new Error('database connection is unresponsive')),
      ]);
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
        // Logged once per outage, not for every retry.
        log[hasSaidLost ? 'debug' : 'warn'](
          { err: error, channels, retryInMs: pauseMs },
          'lost the connection that listens to the database',
        );
        hasSaidLost = true;
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }

  const listening = listen();
  return {
    subscribe(channel, subscriber) {
      const own = subscribers.get(channel);
      if (own === undefined) throw new Error(`no listener for ${channel}`);
      own.add(subscriber);
      if (isListening) subscriber.onChange(true);
      return () => void own.delete(subscriber);
    },
    stop() {
      stopping.abort();
      return listening;
    },
  };
}
