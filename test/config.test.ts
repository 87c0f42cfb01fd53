import {
  type Environment,
  InvalidSettings,
  ingestMode,
  loadConfig,
  loadRunningConfig,
  publicSettings,
  settingNames,
} from '#src/config.ts';
import { createLog } from '#src/kit/log.ts';
import { screens } from '#views/screen-list.ts';

const least = { DATABASE_URL: 'postgres://luneta@127.0.0.1/luneta', PUBLIC_APP_URL: 'http://localhost:3000' };

function load(env: Environment) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  try {
    return { config: loadConfig(env, log), lines, error: null };
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return { config: null, lines, error };
  }
}

function wrongNames(env: Environment): string[] {
  return load(env).error?.problems.map(({ name }) => name) ?? [];
}

const provider = { OIDC_ISSUER: 'http://127.0.0.1:4000', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };

describe('loadConfig', () => {
  it('needs two settings and fills in the rest', () => {
    expect(load(least).config).toEqual({
      ...least,
      NODE_ENV: 'development',
      PORT: 3000,
      HOST: '127.0.0.1',
      TRUST_PROXY: 0,
      LOG_LEVEL: 'info',
      INGEST_MODE: 'store',
      JOBS: 'web',
      INGEST_ALIAS: 'moon',
      TAG_MANAGER_HOSTS: [],
    });
  });

  it.each([
    ['nothing is set', {}, ['DATABASE_URL', 'PUBLIC_APP_URL']],
    ['required ones are empty', { DATABASE_URL: '', PUBLIC_APP_URL: '' }, ['DATABASE_URL', 'PUBLIC_APP_URL']],
    ['the database URL is no URL', { ...least, DATABASE_URL: 'luneta' }, ['DATABASE_URL']],
    ['the database is of another kind', { ...least, DATABASE_URL: 'mysql://a@b/c' }, ['DATABASE_URL']],
    ['the direct URL is no URL', { ...least, DIRECT_DATABASE_URL: '//' }, ['DIRECT_DATABASE_URL']],
    ['the app URL lacks its scheme', { ...least, PUBLIC_APP_URL: 'localhost:3000' }, ['PUBLIC_APP_URL']],
    ['the app URL has a path', { ...least, PUBLIC_APP_URL: 'https://x.example/luneta' }, ['PUBLIC_APP_URL']],
    ['the app URL has a password', { ...least, PUBLIC_APP_URL: 'https://u:p@x.example' }, ['PUBLIC_APP_URL']],
    ['a secret is short', { ...least, AUTH_SECRET: 'x'.repeat(31) }, ['AUTH_SECRET']],
    ['the previous secret is short', { ...least, AUTH_SECRET_PREVIOUS: 'x' }, ['AUTH_SECRET_PREVIOUS']],
    ['the mode is unknown', { ...least, NODE_ENV: 'staging' }, ['NODE_ENV']],
    ['the port is a word', { ...least, PORT: 'web' }, ['PORT']],
    ['the port is too high', { ...least, PORT: '70000' }, ['PORT']],
    ['the number of proxies is no number', { ...least, TRUST_PROXY: 'true' }, ['TRUST_PROXY']],
    ['a header without a trusted proxy', { ...least, CLIENT_IP_HEADER: 'X-Real-IP' }, ['TRUST_PROXY']],
    ['headers of places without a trusted proxy', { ...least, GEOIP_HEADERS: 'vercel' }, ['TRUST_PROXY']],
    ['headers of places of no network', { ...least, TRUST_PROXY: '1', GEOIP_HEADERS: 'fly' }, ['GEOIP_HEADERS']],
    ['a header of two words', { ...least, TRUST_PROXY: '1', CLIENT_IP_HEADER: 'X Real IP' }, ['CLIENT_IP_HEADER']],
    ['the auth URL is no URL', { ...least, AUTH_URL: 'nope' }, ['AUTH_URL']],
    ['the upstream lacks its scheme', { ...least, PUBLIC_POSTHOG_HOST: 'eu.i.posthog.com' }, ['PUBLIC_POSTHOG_HOST']],
    ['the upstream is us', { ...least, PUBLIC_POSTHOG_HOST: 'http://localhost:3000/' }, ['PUBLIC_POSTHOG_HOST']],
    [
      'the upstream is us by address',
      { ...least, PUBLIC_POSTHOG_HOST: 'http://127.0.0.1:3000' },
      ['PUBLIC_POSTHOG_HOST'],
    ],
    ['mail has no sender', { ...least, SENDGRID_API_KEY: 'SG.key' }, ['MAIL_FROM']],
    ['mail by SMTP has no sender', { ...least, SMTP_URL: 'smtp://mail.example.com' }, ['MAIL_FROM']],
    [
      'the mail server is no SMTP server',
      { ...least, SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' },
      ['SMTP_URL'],
    ],
    [
      'there are two mail services',
      { ...least, SMTP_URL: 'smtp://mail.example.com', SENDGRID_API_KEY: 'SG.key', MAIL_FROM: 'a@example.com' },
      ['SMTP_URL'],
    ],
    ['the sender is two addresses', { ...least, MAIL_FROM: 'a@example.com, b@example.com' }, ['MAIL_FROM']],
    ['the sender has a line end', { ...least, MAIL_FROM: 'A\nB <a@example.com>' }, ['MAIL_FROM']],
    ['mirroring to nowhere', { ...least, INGEST_MODE: 'mirror' }, ['INGEST_MODE']],
    [
      'a tag host is more than a host',
      { ...least, TAG_MANAGER_HOSTS: "a.example; script-src 'unsafe-inline'" },
      ['TAG_MANAGER_HOSTS'],
    ],
    [
      'a provider lacks its client',
      { ...least, OIDC_ISSUER: 'https://id.example' },
      ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ],
    ['Google lacks its secret', { ...least, GOOGLE_CLIENT_ID: 'g' }, ['GOOGLE_CLIENT_SECRET']],
    ['a provider can be listened to', { ...least, ...provider, OIDC_ISSUER: 'http://id.example' }, ['OIDC_ISSUER']],
    ['the metrics token is short', { ...least, METRICS_TOKEN: 'abc' }, ['METRICS_TOKEN']],
  ])('refuses when %s', (_, env: Environment, names) => {
    expect(wrongNames(env)).toEqual(names);
  });

  it('refuses an alias of ingestion that is the first word of another address', () => {
    const screenWords = screens.map(({ path }) => path.split('/')[1] ?? '').filter((word) => /^[a-z-]+$/.test(word));
    for (const word of new Set([...screenWords, 'api', 'assets', 'ingest', 'metrics', 'preferences', 'shared'])) {
      expect([word, wrongNames({ ...least, INGEST_ALIAS: word })]).toEqual([word, ['INGEST_ALIAS']]);
    }
  });

  it('accepts every setting at its shortest', () => {
    const full = {
      ...least,
      DIRECT_DATABASE_URL: 'postgresql:///luneta?host=/run/luneta&user=luneta',
      SENDGRID_API_KEY: 'k',
      AUTH_SECRET: 'x'.repeat(32),
      AUTH_SECRET_PREVIOUS: 'y'.repeat(32),
      AUTH_URL: 'https://luneta.example.com',
      ...provider,
      OIDC_NAME: 'n',
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 's',
      SUPABASE_SERVICE_ROLE_KEY: 'k',
      NODE_ENV: 'production',
      PORT: '8080',
      HOST: '0.0.0.0',
      TRUST_PROXY: '2',
      CLIENT_IP_HEADER: 'CF-Connecting-IP',
      GEOIP_HEADERS: 'country=X-Country',
      GEOIP_DATABASE: 'c',
      MAIL_FROM: 'Luneta <luneta@example.com>',
      LOG_LEVEL: 'debug',
      SPOOL_DIR: '/data/spool',
      INGEST_MODE: 'mirror',
      JOBS: 'worker',
      INGEST_ALIAS: 'lua',
      COLUMN_CACHE_MB: '64',
      DATABASE_DISK_GB: '20',
      DATABASE_CONNECTIONS: '20',
      CLICKHOUSE_URL: 'https://clickhouse.example.com:8443',
      CLICKHOUSE_USER: 'luneta',
      CLICKHOUSE_PASSWORD: 'p',
      CLICKHOUSE_DATABASE: 'analytics',
      CLICKHOUSE_CLUSTER: 'main',
      CLICKHOUSE_CA: '/etc/ca.pem',
      CLICKHOUSE_QUERY_MEMORY_MB: '4000',
      CLICKHOUSE_HOT_DAYS: '90',
      TAG_MANAGER_HOSTS: 'www.googletagmanager.com, stats.example.com,',
      METRICS_TOKEN: 'm'.repeat(16),
      PUBLIC_POSTHOG_KEY: 'phc_1',
      PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com',
      PUBLIC_SUPABASE_URL: 'https://x.supabase.co',
      PUBLIC_SUPABASE_ANON_KEY: 'k',
      PUBLIC_TAG_MANAGER_ID: 'GTM-1',
      PUBLIC_TAG_MANAGER_SRC: 'https://www.googletagmanager.com/gtm.js',
    };
    const { config } = load(full);
    expect(config).toEqual({
      ...full,
      PORT: 8080,
      TRUST_PROXY: 2,
      CLIENT_IP_HEADER: 'cf-connecting-ip',
      GEOIP_HEADERS: { country: 'x-country' },
      COLUMN_CACHE_MB: 64,
      DATABASE_DISK_GB: 20,
      DATABASE_CONNECTIONS: 20,
      CLICKHOUSE_QUERY_MEMORY_MB: 4000,
      CLICKHOUSE_HOT_DAYS: 90,
      TAG_MANAGER_HOSTS: ['www.googletagmanager.com', 'stats.example.com'],
    });
    const { SENDGRID_API_KEY: _, ...others } = full;
    const smtp = { SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465' };
    expect(loadConfig({ ...others, ...smtp })).toMatchObject(smtp);
    expect(Object.keys({ ...full, ...smtp }).sort()).toEqual([...settingNames].sort());
  });

  it('counts an empty string as unset and leaves its argument alone', () => {
    const env = { ...least, PORT: '', NODE_ENV: '', AUTH_SECRET: '', SENDGRID_API_KEY: '', TAG_MANAGER_HOSTS: '' };
    const { config } = load(env);
    expect(config).toMatchObject({ PORT: 3000, NODE_ENV: 'development', TAG_MANAGER_HOSTS: [] });
    expect(config?.AUTH_SECRET).toBeUndefined();
    expect(env.PORT).toBe('');
  });

  it('logs "Invalid environment variables" with names and never a value', () => {
    const secrets = {
      DATABASE_URL: 'hunter2-database',
      DIRECT_DATABASE_URL: 'hunter2-direct',
      PUBLIC_APP_URL: 'hunter2-app',
      AUTH_SECRET: 'hunter2-secret',
      AUTH_URL: 'hunter2-auth',
      NODE_ENV: 'hunter2-mode',
      PORT: 'hunter2-port',
      TRUST_PROXY: 'hunter2-proxy',
      LOG_LEVEL: 'hunter2-level',
      INGEST_MODE: 'hunter2-ingest',
      COLUMN_CACHE_MB: 'hunter2-cache',
      DATABASE_CONNECTIONS: 'hunter2-many',
      METRICS_TOKEN: 'hunter2',
      PUBLIC_POSTHOG_HOST: 'hunter2-host',
      PUBLIC_SUPABASE_URL: 'hunter2-url',
      PUBLIC_TAG_MANAGER_SRC: 'hunter2-src',
    };
    const { error, lines } = load(secrets);
    expect(error?.problems.map(({ name }) => name).sort()).toEqual(Object.keys(secrets).sort());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"msg":"Invalid environment variables"');
    for (const name of Object.keys(secrets)) expect(lines[0]).toContain(name);
    expect(lines[0] + String(error?.message) + String(error?.stack)).not.toContain('hunter2');
  });

  it('says one sentence about each setting', () => {
    const { error } = load({ DATABASE_URL: 'nope', AUTH_SECRET: 'short' });
    expect(error?.message).toBe(
      'Invalid environment variables: DATABASE_URL must be a URL such as postgres://user:password@host:5432/database ' +
        '(percent-encode special characters); AUTH_SECRET must be at least 32 characters long; ' +
        'PUBLIC_APP_URL is required but not set.',
    );
  });

  it('takes the values as they are when validation is skipped', () => {
    const { config } = load({ SKIP_ENV_VALIDATION: '1', PORT: 'web' });
    expect(config).toEqual({ SKIP_ENV_VALIDATION: '1', PORT: 'web' });
    expect(wrongNames({ SKIP_ENV_VALIDATION: '' })).toHaveLength(2);
  });

  it('skips nothing for a program that runs', () => {
    expect(() => loadRunningConfig({ SKIP_ENV_VALIDATION: '1' }, { fatal: () => undefined })).toThrow(
      'Invalid environment variables: DATABASE_URL is required but not set; PUBLIC_APP_URL is required but not set.',
    );
  });

  it.each(['https://luneta.example/stats', 'https://luneta.example/?a', 'https://luneta.example/#a'])(
    'wants a host of its own, not %s',
    (PUBLIC_APP_URL) => {
      expect(wrongNames({ ...least, PUBLIC_APP_URL })).toEqual(['PUBLIC_APP_URL']);
      expect(wrongNames({ ...least, PUBLIC_APP_URL: 'https://luneta.example/' })).toEqual([]);
    },
  );

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(load(least).config)).toBe(true);
  });
});

describe('ingestMode', () => {
  it.each([
    [{}, 'store'],
    [{ PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com' }, 'relay'],
    [{ PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com', INGEST_MODE: 'mirror' }, 'mirror'],
  ])('%j is %s', (env, mode) => {
    expect(ingestMode(loadConfig({ ...least, ...env }))).toBe(mode);
  });
});

describe('publicSettings', () => {
  it('holds every public setting and no other', () => {
    const { config } = load({ ...least, AUTH_SECRET: 'x'.repeat(32), PUBLIC_POSTHOG_KEY: 'phc_1' });
    if (!config) throw new Error('expected a configuration');
    const shown = publicSettings(config);
    expect(Object.keys(shown)).toEqual(settingNames.filter((name) => name.startsWith('PUBLIC_')));
    expect(shown).toMatchObject({ PUBLIC_APP_URL: least.PUBLIC_APP_URL, PUBLIC_POSTHOG_KEY: 'phc_1' });
  });
});
