import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidSettings } from '#src/config.ts';
import { readEnvironment, supplyEnvironment } from '#src/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'luneta-env-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=\nMAIL_FROM="Luneta <luneta@example.com>"\n# PUBLIC_APP_URL=no\n');

describe('readEnvironment', () => {
  it('prefers what the process was given, and takes the rest from .env', () => {
    expect(readEnvironment({ PORT: '5000', MAIL_FROM: '', OTHER: 'x' }, folder)).toEqual({
      PORT: '5000',
      OTHER: 'x',
      MAIL_FROM: 'Luneta <luneta@example.com>',
      HOST: '',
    });
  });

  it('reads no file that is not there, and none in tests', () => {
    expect(readEnvironment({ A: '1' }, join(folder, 'none'))).toEqual({ A: '1' });
    expect(readEnvironment({ NODE_ENV: 'test' }, folder)).toEqual({ NODE_ENV: 'test' });
  });

  it('leaves its argument alone', () => {
    const given = { PORT: '' };
    readEnvironment(given, folder);
    expect(given).toEqual({ PORT: '' });
  });
});

describe('supplyEnvironment', () => {
  const given = { NODE_ENV: 'test', DATABASE_URL: 'postgres://u@127.0.0.1/x' };

  it('supplies the address and a quiet log', async () => {
    const { env, embedded } = await supplyEnvironment({ ...given, PORT: '4199' }, folder, { port: false });
    expect(env).toMatchObject({ ...given, PUBLIC_APP_URL: 'http://localhost:4199', LOG_LEVEL: 'warn' });
    expect(embedded).toBeNull();
  });

  it('is for production by default', async () => {
    const { env } = await supplyEnvironment({ DATABASE_URL: given.DATABASE_URL }, folder, { port: false });
    expect(env['NODE_ENV']).toBe('production');
  });

  it('names wrong settings before it starts anything', async () => {
    const wrong = supplyEnvironment({ NODE_ENV: 'test', PORT: 'web', AUTH_SECRET: 'short' }, folder, { port: true });
    await expect(wrong).rejects.toThrow(InvalidSettings);
    await expect(wrong).rejects.toThrow(
      'Invalid environment variables: AUTH_SECRET must be at least 32 characters long; PORT must be a whole number from 0 to 65535.',
    );
  });

  it('tries the port before it starts anything', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await expect(supplyEnvironment({ ...given, PORT: String(port) }, folder, { port: true })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
    await new Promise((resolve) => taken.close(resolve));
  });
});
