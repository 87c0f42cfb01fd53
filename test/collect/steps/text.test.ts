import { finish, newDraft } from '#src/collect/steps/draft.ts';
import { cleanText, dropOversized } from '#src/collect/steps/text.ts';
import type { JsonObject } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import { dropOf, finished, testContext } from '../context.ts';

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonObject;

describe('size', () => {
  const large = { facts: { small: false, maxEventLength: 1_000 } };
  it.each([
    ['a long string', { x: 'a'.repeat(1_001) }, 'too_large'],
    ['a long name', { ['n'.repeat(1_001)]: 1 }, 'too_large'],
    ['many properties', Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, 1])), 'too_large'],
    ['a deep object', nested(10_000), 'too_deep'],
    ['a deep list', { x: JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) }, 'too_deep'],
    ['what fits', { x: 'a'.repeat(900) }, null],
  ])('%s', (_name, properties, reason) => {
    expect(dropOf({ event: 'a', distinct_id: 'd', properties } as JsonObject, testContext(large))).toBe(reason);
  });

  it.each([true, false])('takes 128 levels and no more, small request: %s', (small) => {
    const outcomes = [128, 129].map((levels) =>
      dropOf(
        { event: 'a', distinct_id: 'd', properties: nested(levels) },
        testContext({ facts: { small, maxEventLength: 100_000 } }),
      ),
    );
    expect(outcomes).toEqual([null, 'too_deep']);
  });
});

describe('text', () => {
  it('replaces NUL and unpaired surrogates in values and names, at any depth, and says so once', () => {
    const context = testContext();
    const event = finished(
      {
        event: 'a\0',
        distinct_id: 'd\ud800',
        properties: { 'k\udc00': ['x\0', { y: '\ud83d\ude00 ok', z: '\ud83d' }] },
      },
      context,
    );
    expect(event.event).toBe('a\ufffd');
    expect(event.distinctId).toBe('d\ufffd');
    expect(event.properties).toEqual({ 'k\ufffd': ['x\ufffd', { y: '😀 ok', z: '\ufffd' }] });
    expect(context.warnings.map((warning) => warning.reason)).toEqual(['text_cleaned']);
  });

  it('leaves clean events as the objects they are', () => {
    const raw = { event: 'a', properties: { x: ['☕', { y: 'z' }] } };
    const draft = newDraft(raw);
    expect(cleanText(draft, testContext())).toBeNull();
    expect(draft.raw).toBe(raw);
  });

  it('removes everything that PostgreSQL refuses', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
        (properties) => {
          const draft = newDraft({ event: 'a', properties } as JsonObject);
          const context = testContext();
          if (dropOversized(draft, context) !== null) return;
          cleanText(draft, context);
          const text = JSON.stringify(draft.raw);
          expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
          expect(text.isWellFormed()).toBe(true);
          expect(() => finish(draft, context)).not.toThrow();
        },
      ),
    );
  });
});

it('stores dangerous names as plain data', () => {
  const raw = JSON.parse(
    '{"event":"a","distinct_id":"d","properties":{"__proto__":{"x":1},"constructor":{"prototype":{"x":2}},"toString":"t"}}',
  ) as JsonObject;
  const { properties } = finished(raw);
  expect(Object.keys(properties).sort()).toEqual(['__proto__', 'constructor', 'toString']);
  expect(({} as { x?: number }).x).toBeUndefined();
  expect(JSON.parse(JSON.stringify(properties))).toEqual(properties);
});
