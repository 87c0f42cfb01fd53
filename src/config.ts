/**
 * Every setting of the program, checked in one place. `main.ts` and `launch.ts` hand the environment to `loadConfig`;
 * nothing else reads it. The server's settings never leave the process; `publicSettings` names those that the browser gets,
 * at request time, so that one build serves every environment. `.env.example` documents them all.
 */
import { createEnv } from '@t3-oss/env-core';
import { z } from 'zod';
import { createLog, type Log } from './kit/log.ts';
import { isLoopback } from './kit/loopback.ts';
import { senderOf } from './mail/contract.ts';
import { type LocationHeaders, locationHeadersOf } from './proxies/values.ts';

export type Environment = Record<string, string | undefined>;

const webUrl = (example: string) =>
  z.url({
    protocol: /^https?$/,
    abort: true,
    error: `must be a URL starting with http:// or https://, e.g. ${example}`,
  });
/** Cookies, passkeys and callbacks are bound to a host, so the whole host must be ours. Pages show it: it has no password. */
const hostUrl = (example: string) =>
  webUrl(example).refine((text) => /^https?:\/\/[^/?#@]+\/?$/i.test(text), {
    error: `must be a host without a path, such as ${example}: Luneta has a host of its own`,
  });
const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  abort: true, // so that the rules over two settings see only URLs that parse
  error: 'must be a URL such as postgres://user:password@host:5432/database (percent-encode special characters)',
});
const filled = z.string().min(1, { error: 'must not be empty' });
const secret = (least: number) => z.string().min(least, { error: `must be at least ${least} characters long` });
const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int({ error }).min(from, { error }).max(to, { error });
};
const oneOf = <const Values extends [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
/** Host names with commas between them; they become part of a header. */
const hosts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine((entries) => entries.every((entry) => /^(https:\/\/)?(\*\.)?[\w.-]+(:\d+)?$/.test(entry)), {
    error: 'must be a comma-separated list of host names, e.g. www.googletagmanager.com, *.example.com',
  });

/** First path segments of our own routes. */
const takenPaths = new Set(
  ['account', 'api', 'assets', 'embed', 'healthz', 'ingest', 'invite', 'metrics', 'preferences', 'project'].concat([
    'readyz',
    'reports',
    'setup',
    'share',
    'shared',
    'sign-in',
    'status',
    'team',
  ]),
);

/** Settings that stay in the server. */
const server = {
  DATABASE_URL: databaseUrl,
  /** Migrations, LISTEN/NOTIFY and advisory locks, when DATABASE_URL goes through a pooler. */
  DIRECT_DATABASE_URL: databaseUrl.optional(),
  SENDGRID_API_KEY: filled.optional(),
  /** Mail through an SMTP server instead. */
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be a URL such as smtps://user:password@mail.example.com (percent-encode special characters)',
    })
    .optional(),
  MAIL_FROM: filled
    .refine((text) => senderOf(text) !== null, {
      error: 'must be an email address, with or without a name, e.g. Luneta <luneta@example.com>',
    })
    .optional(),
  AUTH_SECRET: secret(32).optional(),
  /** Still verifies what AUTH_SECRET's predecessor signed. */
  AUTH_SECRET_PREVIOUS: secret(32).optional(),
  AUTH_URL: webUrl('https://luneta.example.com').optional(),
  /** Sign-in with any provider that speaks OpenID Connect. */
  OIDC_ISSUER: webUrl('https://id.example.com').optional(),
  OIDC_CLIENT_ID: filled.optional(),
  OIDC_CLIENT_SECRET: filled.optional(),
  /** Label of its button. */
  OIDC_NAME: filled.optional(),
  GOOGLE_CLIENT_ID: filled.optional(),
  GOOGLE_CLIENT_SECRET: filled.optional(),
  SUPABASE_SERVICE_ROLE_KEY: filled.optional(),
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  /** 0 takes any free port (tests). */
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: filled.default('127.0.0.1'),
  /** How many proxies in front of us to believe when they say who the client is. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** A header in which the proxies put the client's address, believed from a trusted proxy. Lower case. */
  CLIENT_IP_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, { error: 'must be the name of a header, e.g. CF-Connecting-IP' })
    .transform((name) => name.toLowerCase())
    .optional(),
  /** Headers in which the proxies say where the client is, believed from a trusted proxy. */
  GEOIP_HEADERS: z
    .string()
    .refine((text) => locationHeadersOf(text) !== null, {
      error:
        'must be cloudflare, vercel or cloudfront, or name headers, e.g. country=X-Country, region=X-Region, city=X-City',
    })
    .transform((text): LocationHeaders => locationHeadersOf(text) ?? {})
    .optional(),
  /** Path of a database of cities (.mmdb) for region and city. */
  GEOIP_DATABASE: filled.optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  /** Spool folder while PostgreSQL is unavailable. Setting it declares its disk durable. */
  SPOOL_DIR: filled.optional(),
  /** `mirror`: with PUBLIC_POSTHOG_HOST, store here and forward as well, instead of only forwarding. */
  INGEST_MODE: oneOf('store', 'mirror').default('store'),
  /** A second path for `/ingest`, for sites where blockers know that word: one word of your own. */
  INGEST_ALIAS: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
      error: 'must be one word of lowercase letters, digits and hyphens, e.g. moon',
    })
    .refine((word) => !takenPaths.has(word), { error: 'must not be a path that Luneta already uses' })
    .default('moon'),
  /** Process of the background jobs: in the web process, or in `node dist/worker.js` alone. */
  JOBS: oneOf('web', 'worker').default('web'),
  COLUMN_CACHE_MB: wholeNumber(16, 65_536).optional(),
  /** Connections to PostgreSQL that this process may open, all threads together. */
  DATABASE_CONNECTIONS: wholeNumber(8, 1_000).optional(),
  /** Disk size of a database on another machine, in GB of 1,000 MB, for the warning on Status. */
  DATABASE_DISK_GB: wholeNumber(1, 1_000_000).optional(),
  /** ClickHouse, on which insights of large projects run. */
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, abort: true, error: 'must be a URL such as https://clickhouse.example.com:8443' })
    .refine((text) => !/^https?:\/\/[^/?#]*@/i.test(text), {
      error: 'must be without user and password, which have separate settings',
    })
    .optional(),
  CLICKHOUSE_USER: filled.optional(),
  CLICKHOUSE_PASSWORD: filled.optional(),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/i, { error: 'must be a name of letters, digits and underscores' })
    .optional(),
  /** Cluster whose replicas hold the tables, sharded by person. */
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,62}$/i, { error: 'must be a name of letters, digits, hyphens and underscores' })
    .optional(),
  /** Path of a file with the certificates to trust, where its certificate is not signed by a public authority. */
  CLICKHOUSE_CA: filled.optional(),
  /** Memory that a query may take there, in MB of 1,000,000 bytes. */
  CLICKHOUSE_QUERY_MEMORY_MB: wholeNumber(100, 10_000_000).optional(),
  /** Single events before so many days are read there, of projects that are switched; without it none are. */
  CLICKHOUSE_HOT_DAYS: wholeNumber(1, 3_650).optional(),
  /** Hosts a tag manager may load from and send to, comma separated: they are added to the content security policy. */
  TAG_MANAGER_HOSTS: hosts.default([]),
  /** Bearer token of /metrics; without it only loopback may read them. */
  METRICS_TOKEN: secret(16).optional(),
};

/** Settings that the browser receives too. */
const client = {
  PUBLIC_APP_URL: hostUrl('https://luneta.example.com'),
  PUBLIC_POSTHOG_KEY: filled.optional(),
  PUBLIC_POSTHOG_HOST: webUrl('https://eu.i.posthog.com').optional(),
  PUBLIC_SUPABASE_URL: webUrl('https://project.supabase.co').optional(),
  PUBLIC_SUPABASE_ANON_KEY: filled.optional(),
  PUBLIC_TAG_MANAGER_ID: filled.optional(),
  PUBLIC_TAG_MANAGER_SRC: webUrl('https://www.googletagmanager.com/gtm.js').optional(),
};

/** Names of all settings, in the order of the documentation. */
export const settingNames: readonly string[] = [...Object.keys(server), ...Object.keys(client)];

/** One problem with one setting. Holds no value: values are secrets until proven otherwise. */
export interface SettingProblem {
  name: string;
  problem: string;
}

/** The environment does not make a working configuration; the message names each setting and what it should be. */
export class InvalidSettings extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(`Invalid environment variables: ${problems.map(({ name, problem }) => `${name} ${problem}`).join('; ')}.`);
    this.name = 'InvalidSettings';
    this.problems = problems;
  }
}

/**
 * Validates the environment. An empty string counts as unset. With `SKIP_ENV_VALIDATION` set (builds) the values are returned
 * unchanged, without defaults.
 *
 * @param env copied, never changed
 * @param log gets the names of invalid settings, never values
 * @throws InvalidSettings
 */
export function loadConfig(env: Environment, log?: Pick<Log, 'fatal'>) {
  const settings = createEnv({
    server,
    client,
    clientPrefix: 'PUBLIC_',
    runtimeEnv: { ...env },
    isServer: true,
    emptyStringAsUndefined: true,
    skipValidation: Boolean(env['SKIP_ENV_VALIDATION']),
    createFinalSchema: (shape) =>
      z.object(shape).superRefine((values, context) => {
        for (const { name, problem } of contradictions(values)) {
          context.addIssue({ code: 'custom', path: [name], message: problem });
        }
      }),
    onValidationError(issues) {
      const problems = describe(issues, env);
      (log ?? createLog('fatal')).fatal({ variables: problems }, 'Invalid environment variables');
      throw new InvalidSettings(problems);
    },
  });
  return Object.freeze({ ...settings });
}

/** As `loadConfig`, for a running program: validation is never skipped. */
export function loadRunningConfig(env: Environment, log?: Pick<Log, 'fatal'>): Config {
  return loadConfig({ ...env, SKIP_ENV_VALIDATION: undefined }, log);
}

/** The checked settings; the keys are the settings' own names. */
export type Config = ReturnType<typeof loadConfig>;

/** Mode of `/ingest`: store, relay to the upstream, or both. */
export function ingestMode(config: Pick<Config, 'PUBLIC_POSTHOG_HOST' | 'INGEST_MODE'>): 'store' | 'relay' | 'mirror' {
  if (config.PUBLIC_POSTHOG_HOST === undefined) return 'store';
  return config.INGEST_MODE === 'mirror' ? 'mirror' : 'relay';
}

/** Settings in every page: only the `PUBLIC_` ones that are set. */
export function publicSettings(config: Config) {
  const { PUBLIC_APP_URL, PUBLIC_POSTHOG_KEY, PUBLIC_POSTHOG_HOST, PUBLIC_SUPABASE_URL } = config;
  const { PUBLIC_SUPABASE_ANON_KEY, PUBLIC_TAG_MANAGER_ID, PUBLIC_TAG_MANAGER_SRC } = config;
  return {
    PUBLIC_APP_URL,
    PUBLIC_POSTHOG_KEY,
    PUBLIC_POSTHOG_HOST,
    PUBLIC_SUPABASE_URL,
    PUBLIC_SUPABASE_ANON_KEY,
    PUBLIC_TAG_MANAGER_ID,
    PUBLIC_TAG_MANAGER_SRC,
  } satisfies Record<keyof typeof client, string | undefined>;
}

export type PublicSettings = ReturnType<typeof publicSettings>;

interface Related {
  PORT: number;
  TRUST_PROXY: number;
  CLIENT_IP_HEADER?: string | undefined;
  INGEST_MODE: 'store' | 'mirror';
  PUBLIC_APP_URL: string;
  GEOIP_HEADERS?: LocationHeaders | undefined;
  PUBLIC_POSTHOG_HOST?: string | undefined;
  SENDGRID_API_KEY?: string | undefined;
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  GOOGLE_CLIENT_ID?: string | undefined;
  GOOGLE_CLIENT_SECRET?: string | undefined;
  CLICKHOUSE_URL?: string | undefined;
  CLICKHOUSE_USER?: string | undefined;
  CLICKHOUSE_PASSWORD?: string | undefined;
  CLICKHOUSE_DATABASE?: string | undefined;
  CLICKHOUSE_CLUSTER?: string | undefined;
  CLICKHOUSE_CA?: string | undefined;
  CLICKHOUSE_QUERY_MEMORY_MB?: number | undefined;
  CLICKHOUSE_HOT_DAYS?: number | undefined;
}

/** Rules that need two settings. */
function contradictions(values: Related): SettingProblem[] {
  return [
    ...upstreamProblems(values),
    ...mailProblems(values),
    ...providerProblems(values),
    ...proxyProblems(values),
    ...clickhouseProblems(values),
  ];
}

function clickhouseProblems(values: Related): SettingProblem[] {
  if (values.CLICKHOUSE_URL !== undefined) return [];
  const own = ['USER', 'PASSWORD', 'DATABASE', 'CLUSTER', 'CA', 'QUERY_MEMORY_MB', 'HOT_DAYS'] as const;
  const names = own.map((name) => `CLICKHOUSE_${name}` as const);
  const set = names.find((name) => values[name] !== undefined);
  return set === undefined ? [] : [{ name: 'CLICKHOUSE_URL', problem: `must be set because ${set} is set` }];
}

function proxyProblems({ TRUST_PROXY, CLIENT_IP_HEADER, GEOIP_HEADERS }: Related): SettingProblem[] {
  if (TRUST_PROXY > 0) return [];
  const needing = CLIENT_IP_HEADER !== undefined ? 'CLIENT_IP_HEADER' : GEOIP_HEADERS && 'GEOIP_HEADERS';
  return needing ? [{ name: 'TRUST_PROXY', problem: `must be at least 1 because ${needing} is set` }] : [];
}

function providerProblems(values: Related): SettingProblem[] {
  const { OIDC_ISSUER } = values;
  const groups = [
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const,
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const,
  ];
  const missing = groups.flatMap((group) => {
    const set = group.filter((name) => values[name] !== undefined);
    if (set.length === 0) return [];
    return group
      .filter((name) => values[name] === undefined)
      .map((name) => ({ name, problem: `must be set because ${set[0]} is set` }));
  });
  if (OIDC_ISSUER === undefined || OIDC_ISSUER.startsWith('https:') || isThisMachine(new URL(OIDC_ISSUER).hostname)) {
    return missing;
  }
  return [...missing, { name: 'OIDC_ISSUER', problem: 'must start with https:// (except on localhost)' }];
}

function mailProblems({ SENDGRID_API_KEY, SMTP_URL, MAIL_FROM }: Related): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (SENDGRID_API_KEY !== undefined && SMTP_URL !== undefined) {
    problems.push({ name: 'SMTP_URL', problem: 'must not be set because SENDGRID_API_KEY is set' });
  }
  const service = SENDGRID_API_KEY !== undefined ? 'SENDGRID_API_KEY' : SMTP_URL !== undefined && 'SMTP_URL';
  if (service && MAIL_FROM === undefined) {
    problems.push({ name: 'MAIL_FROM', problem: `must be set because ${service} is set` });
  }
  return problems;
}

function upstreamProblems({ PORT, INGEST_MODE, PUBLIC_APP_URL, PUBLIC_POSTHOG_HOST }: Related): SettingProblem[] {
  if (PUBLIC_POSTHOG_HOST === undefined) {
    if (INGEST_MODE !== 'mirror') return [];
    return [{ name: 'INGEST_MODE', problem: 'mirror mode requires PUBLIC_POSTHOG_HOST' }];
  }
  const upstream = new URL(PUBLIC_POSTHOG_HOST);
  const own = new URL(PUBLIC_APP_URL);
  const isOwn = upstream.host === own.host || (isThisMachine(upstream.hostname) && portOf(upstream) === PORT);
  if (!isOwn) return [];
  return [{ name: 'PUBLIC_POSTHOG_HOST', problem: "must not be this server's own address (relay loop)" }];
}

/** Systems lead `0.0.0.0` to loopback as well. */
function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || hostname === '0.0.0.0';
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The first problem of each setting. A missing one is reported as missing, regardless of the schema's message. */
function describe(issues: readonly Issue[], env: Environment): SettingProblem[] {
  const problems = new Map<string, string>();
  for (const { path, message } of issues) {
    const step = path?.[0];
    const name = String(typeof step === 'object' ? step.key : step);
    if (!problems.has(name)) problems.set(name, env[name] ? message : 'is required but not set');
  }
  return [...problems].map(([name, problem]) => ({ name, problem }));
}
