/**
 * Luneta measures itself: what the server sees, reported with posthog-node. Without an upstream its batches do not leave the
 * process: they are handed to our own collector. Nothing of what people ask or store is in them: addresses are route
 * patterns, and texts of errors lose everything that is quoted.
 */
import type { PostHog } from 'posthog-node';
import type { Config } from '#src/config.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { Log } from '#src/kit/log.ts';

export interface Measure {
  /** Something that should not have happened. `path` is a route pattern or a procedure's name. */
  exception(error: unknown, about: { requestId: string; path: string }): void;
  event(name: string, properties: Record<string, string | number | boolean>): void;
  /** Sends what waits. */
  stop(): Promise<void>;
}

export interface MeasureParts {
  config: Config;
  log: Log;
  fetch: typeof globalThis.fetch;
  /** Token of the project to report to; null: unknown yet, or reporting is off. */
  token(): string | null;
  /** Takes a batch of raw events into our own collector; null when they go to an upstream. */
  deliver: ((events: JsonValue[]) => Promise<void>) | null;
}

/** Distinct id of the server; it never gets a profile. */
const distinctId = 'luneta-server';

export function createMeasure({ config, log, fetch, token, deliver }: MeasureParts): Measure {
  const { host } = new URL(config.PUBLIC_APP_URL);
  // Without a host the server's event would count as external.
  const about = { $process_person_profile: false, $host: host };
  let client: Promise<PostHog> | null = null;

  /** Creates the client with the first known token. The package is loaded at the first report, so a server that only collects does without it. */
  async function open(known: string): Promise<PostHog> {
    const { PostHog } = await import('posthog-node');
    /** Failures are reported by the event `error`; by default the client also logs them to the console. */
    class Client extends PostHog {
      override flush() {
        return super.flush().catch(() => undefined);
      }
      protected override flushAutomatic() {
        return super.flushAutomatic().catch(() => undefined);
      }
    }
    const opened = new Client(known, {
      host: config.PUBLIC_POSTHOG_HOST ?? new URL(config.PUBLIC_APP_URL).origin,
      fetch: deliver === null ? (url, options) => fetch(url, options as RequestInit) : inProcess(deliver),
      disableCompression: deliver !== null,
      // Our own collector keeps what it can; what it refuses it would refuse again.
      ...(deliver === null ? {} : { fetchRetryCount: 0 }),
      disableGeoip: true,
      disableRemoteConfig: true,
      before_send: withoutData,
    });
    opened.on('error', (error: unknown) => log.warn({ err: error }, 'failed to send own telemetry'));
    return opened;
  }

  function report(say: (to: PostHog) => void): void {
    const known = token();
    if (client === null && known === null) return;
    client ??= open(known ?? '').catch((error: unknown) => {
      client = null; // the next report tries again
      throw error;
    });
    client.then(say).catch((error: unknown) => log.warn({ err: error }, 'failed to report own telemetry'));
  }

  return {
    exception(error, { requestId, path }) {
      report((to) => to.captureException(error, distinctId, { ...about, request_id: requestId, $pathname: path }));
    },
    event(name, properties) {
      report((to) => to.capture({ distinctId, event: name, properties: { ...about, ...properties } }));
    },
    async stop() {
      await (await client?.catch(() => null))?.shutdown(5_000);
    },
  };
}

/** Stands where the network would be. */
function inProcess(deliver: (events: JsonValue[]) => Promise<void>) {
  return async (url: string, options: { body?: unknown }) => {
    if (!/\/batch\/?$/.test(new URL(url).pathname)) return new Response('', { status: 404 });
    const { batch } = JSON.parse(String(options.body)) as { batch: JsonValue[] };
    await deliver(batch);
    return new Response('{"status":1}', { status: 200 });
  };
}

interface Sent {
  properties?: Record<string, unknown>;
}

function withoutData<Event extends Sent | null>(event: Event): Event {
  const list = event?.properties?.['$exception_list'];
  if (!Array.isArray(list)) return event;
  for (const exception of list as { value?: unknown }[]) {
    if (typeof exception.value === 'string') exception.value = withoutQuoted(exception.value);
  }
  return event;
}

/** Errors quote what they could not use; that is where data hides. */
export function withoutQuoted(message: string): string {
  return message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/\S+@\S+/g, '…')
    .slice(0, 500);
}
