/** Grouping held against causes that are known: how many issues a cause has, and how many causes an issue has. */
import { readExceptions } from '#src/errors/exception.ts';
import { fingerprintsOf } from '#src/errors/fingerprint.ts';
import { normalizeFile, normalizeMessage } from '#src/errors/normalize.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { group, measure } from './assigning.ts';
import { buildCorpus } from './corpus.ts';

const CAUSES = 200;
const BUILDS = 20;

describe.each([true, false])('errors of 20 builds, minified: %s', (isMinified) => {
  it('have one issue for each cause', async () => {
    const builds = await Promise.all(
      Array.from({ length: BUILDS }, (_, number) => buildCorpus(number, isMinified, CAUSES, 1)),
    );
    const errors = builds.flatMap((build) => build.errors);
    expect(errors).toHaveLength(CAUSES * BUILDS);
    const { precision, issuesPerCause } = measure(group(errors));
    expect(precision).toBeGreaterThanOrEqual(0.99);
    expect(issuesPerCause).toBeLessThanOrEqual(1.1);
  });
});

it('puts a thousand messages of one loop into one issue', () => {
  const loop = (frames: object[], say: (at: number) => string) =>
    Array.from({ length: 1_000 }, (_, at) => ({
      ...{ cause: 0, build: 0, isMinified: true },
      properties: { $exception_list: [{ type: 'Error', value: say(at), stacktrace: { frames } }] } as JsonObject,
    }));
  const built = [
    { filename: 'https://a.example/app-D3kf9sLq.js', function: 'e', lineno: 1, colno: 9_123, in_app: true },
  ];
  const words = (at: number) => `Failed for ${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 40)}`;
  for (const errors of [
    loop(built, words),
    loop([], (at) => `SMTP 451 4.7.0 to "user${at}@mail.example" (id ${(at * 7919).toString(16)}f0a1b2)`),
  ]) {
    expect(new Set(group(errors).values()).size).toBe(1);
  }
});

it.each([
  ['https://shop.example/assets/main-B7x2Kq9f.js?v=3', 'assets/main.js'],
  ['https://shop.example/assets/index-DiwrgTda.js', 'assets/index.js'],
  ['http://localhost:5173/src/checkout.tsx?t=1764', 'src/checkout.tsx'],
  ['https://cdn.example/v2.14.0/chunks/PZ5AY32C.js', '<build>/chunks/PZ5AY32C.js'],
  ['https://cdn.example/_next/static/chunks/app/page-d41d8cd98f00b204.js', '_next/static/chunks/app/page.js'],
  ['app:///3f2a1b9c4d.bundle.js', '<build>.bundle.js'],
  ['/srv/app/dist/LineReader.js', '/srv/app/dist/LineReader.js'],
  ['https://shop.example/assets/shopping-checkout.js', 'assets/shopping-checkout.js'],
])('reads %s as %s', (file, read) => {
  expect(normalizeFile(file)).toBe(read);
});

it.each([
  ['Order 4,711 of ana@mail.example failed', {}, 'Order <number> of <email> failed'],
  ['GET https://api.example/v1/users/9?x=1 → 500', {}, 'GET <url> → <number>'],
  ["Cannot read properties of undefined (reading 'total')", {}, 'Cannot read properties of undefined (reading <text>)'],
  [
    "Cannot read properties of undefined (reading 'total')",
    { keepNames: true },
    "Cannot read properties of undefined (reading 'total')",
  ],
  ["User 'Ana Prado' not found", { keepNames: true }, 'User <text> not found'],
  ['at 2026-11-26T13:51:02.123Z from 10.0.0.7:5432', {}, 'at <time> from <address>'],
  ['lost session 0x7ffe12 and abc123def456', {}, 'lost session <id> and <id>'],
])('reads %s with %j as %s', (message, options, read) => {
  expect(normalizeMessage(message, options)).toBe(read);
});

it('says why, prefers the fingerprint of the client, and reads what old and strange clients send', () => {
  const frames = [{ filename: 'https://a.example/src/cart.ts', function: 'total', lineno: 3, colno: 9, in_app: true }];
  const list = [{ type: 'TypeError', value: 'x', stacktrace: { frames } }];
  expect(fingerprintsOf(readExceptions({ $exception_list: list }), {}).grouping).toEqual({
    by: 'frames',
    parts: ['TypeError', 'src/cart.ts total'],
  });
  const given = { $exception_list: list, $exception_fingerprint: 'checkout' };
  expect(fingerprintsOf(readExceptions(given), given)).toMatchObject({
    grouping: { by: 'client', parts: ['checkout'] },
  });
  const strange: JsonObject[] = [
    {},
    { $exception_list: 'no' },
    { $exception_list: [null, 7, 'text', []] },
    {
      $exception_list: [
        { type: 5, value: null, stacktrace: { frames: [null, {}, { filename: 7, lineno: -1, colno: 1e300 }] } },
      ],
    },
    { $exception_type: 'Old', $exception_message: 'form' },
  ];
  for (const properties of strange) expect(readExceptions(properties).length).toBeGreaterThan(0);
  expect(readExceptions(strange[4] as JsonObject)).toMatchObject([{ type: 'Old', value: 'form', frames: [] }]);
});
