/** What is done with posthog-node, version by version, to see what it sends. */
import type { JsonObject } from '#src/kit/json.ts';

/** As much of the client as all versions share; written down here because the versions' own types differ. */
export interface NodeClient {
  capture(message: NodeMessage): void;
  identify(message: { distinctId: string; properties?: JsonObject }): void;
  alias(message: { distinctId: string; alias: string }): void;
  groupIdentify(message: { groupType: string; groupKey: string; properties?: JsonObject }): void;
  captureException?(error: unknown, distinctId?: string, properties?: JsonObject): void;
  shutdown(): Promise<void> | void;
  shutdownAsync?(): Promise<void>;
}

export interface NodeMessage {
  distinctId?: unknown;
  event: string;
  properties?: Record<string, unknown>;
  groups?: Record<string, string>;
  timestamp?: Date;
  uuid?: string;
}

export interface NodeCase {
  name: string;
  about: string;
  versions: readonly string[];
  options?: JsonObject;
  /** Set while the case runs. */
  environment?: Record<string, string>;
  /** nth request with events → another answer. */
  refuse?(nth: number): { status: number; body: string } | null;
  drive(client: NodeClient): void;
}

const NEWEST = '5.70.0';
export const nodeVersions = ['2.6.0', '3.6.3', '4.18.0', NEWEST] as const;

export const nodeCases: readonly NodeCase[] = [
  {
    name: 'basics',
    about: 'a captured event with odd values, one with a time and groups, identify, alias, a group',
    versions: nodeVersions,
    drive(client) {
      client.capture({
        distinctId: 'user-1',
        event: 'order placed 🛒',
        properties: { price: 12.5, nan: Number.NaN, bad: 'a\0b', cut: 'x\ud83d', nested: { list: [1, 'dois', null] } },
      });
      client.capture({
        distinctId: 'user-1',
        event: 'order shipped',
        groups: { company: 'acme' },
        timestamp: new Date('2026-11-20T08:00:00.250Z'),
      });
      client.identify({ distinctId: 'user-1', properties: { email: 'ana@example.com', $set_once: { first: 'node' } } });
      client.alias({ distinctId: 'user-1', alias: 'customer-7' });
      client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { size: 12 } });
    },
  },
  {
    name: 'plain',
    about: 'compression turned off',
    versions: [NEWEST],
    options: { disableCompression: true },
    drive(client) {
      client.capture({ distinctId: 'user-2', event: 'plain', properties: { bad: 'a\0b', cut: 'x\ud83d' } });
    },
  },
  {
    name: 'history',
    about: 'a migration of old events',
    versions: ['4.18.0', NEWEST],
    options: { historicalMigration: true },
    drive(client) {
      client.capture({ distinctId: 'user-3', event: 'bought', timestamp: new Date('2021-03-04T05:06:07.080Z') });
      client.capture({ distinctId: 'user-3', event: 'bought', timestamp: new Date('2022-03-04T05:06:07.080Z') });
    },
  },
  {
    name: 'odd-ids',
    about: 'no distinct id, a number, an object, an own uuid, one profile fewer',
    versions: [NEWEST],
    drive(client) {
      client.capture({ event: 'nobody' });
      client.capture({ distinctId: 42, event: 'number' });
      client.capture({ distinctId: { a: 1 }, event: 'object' });
      client.capture({ distinctId: 'user-4', event: 'with uuid', uuid: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001' });
      client.capture({ distinctId: 'user-5', event: 'no profile', properties: { $process_person_profile: false } });
    },
  },
  {
    name: 'exception',
    about: 'an error with a cause',
    versions: [NEWEST],
    drive(client) {
      client.captureException?.(new Error('outer', { cause: new RangeError('inner') }), 'user-6', { order: 9 });
    },
  },
  {
    name: 'retry',
    about: 'the server is away once, then takes the same events',
    versions: ['4.18.0', NEWEST],
    refuse: (nth) => (nth < 1 ? { status: 503, body: 'busy' } : null),
    drive(client) {
      client.capture({ distinctId: 'user-7', event: 'patient' });
      client.capture({ distinctId: 'user-7', event: 'patient too' });
    },
  },
  {
    name: 'capture-v1',
    about: 'the newer capture, which has to be asked for: bearer token, options beside the properties',
    versions: [NEWEST],
    environment: { POSTHOG_CAPTURE_MODE: 'v1' },
    drive(client) {
      client.capture({
        distinctId: 'user-8',
        event: 'new way',
        properties: { price: 3, $process_person_profile: false },
      });
      client.capture({
        distinctId: 'user-8',
        event: 'new way with a session',
        properties: { $session_id: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002', $set: { plan: 'pro' } },
      });
    },
  },
];
