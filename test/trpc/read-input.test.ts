/** What the guard of inputs takes, held to the official serializer, and what it refuses, by generated attacks. */

import superjson from 'superjson';
import {
  MAX_ANNOTATIONS,
  MAX_INPUT_DEPTH,
  MAX_INPUT_VALUES,
  MAX_PATH_LENGTH,
  readInput,
} from '#src/trpc/read-input.ts';
import fc from '#test/kit/fast-check.ts';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const prototypeNames = ['__proto__', 'prototype', 'constructor'];

/** Names as properties have them, with what paths escape. */
const name = fc
  .oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a.b', 'a\\b', '\\', '.', '\\.', '0', '$set'))
  .filter((text) => !prototypeNames.includes(text));
/** What procedures are asked with: JSON, and members without a value. */
const input = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(undefined, null, true, 0, -1.5, ''),
    fc.string(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

test('reads everything that superjson writes of inputs as superjson does', () => {
  fc.assert(
    fc.property(input, (value) => {
      const sent = throughJson(superjson.serialize(value));
      expect(readInput(throughJson(sent))).toStrictEqual(superjson.deserialize(sent as never));
    }),
    { numRuns: 500 },
  );
});

describe('refuses', () => {
  const nested = (depth: number, leaf: unknown = null) => {
    let value = leaf;
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  };
  const annotated = (values: unknown, json: unknown = { a: null }) => ({ json, meta: { values, v: 1 } });
  const depth = fc.integer({ min: MAX_INPUT_DEPTH + 1, max: 20_000 });
  const count = fc.integer({ min: MAX_INPUT_VALUES + 1, max: MAX_INPUT_VALUES + 2_000 });
  const kinds: Record<string, fc.Arbitrary<unknown>> = {
    'long dotted paths': fc
      .tuple(fc.constantFrom('a', '0', '', '\\\\'), fc.integer({ min: MAX_PATH_LENGTH, max: 40_000 }))
      .map(([each, times]) => annotated({ [Array(times).fill(each).join('.')]: ['undefined'] })),
    'what is no list of one annotation': fc
      .oneof(
        fc.constantFrom('undefined', 'aaaa', 1, null, {}, [], { a: 'b' }),
        fc.constantFrom<unknown[]>(['undefined', {}], ['undefined', 'abc'], ['undefined', 'undefined']),
        fc.string({ minLength: 1, maxLength: 500 }).map((children) => ['map', children]),
      )
      .map((annotation) => annotated({ a: annotation })),
    'other annotations': fc
      .constantFrom<unknown[]>(
        ...['Date', 'regexp', 'set', 'map', 'Error', 'bigint', 'URL', 'number', 'x'].map((type) => [type]),
        ...['class', 'custom', 'symbol', 'typed-array'].map((type) => [[type, 'X']]),
        ...['class', 'custom', 'symbol', 'typed-array'].map((type) => [type, 'X']),
      )
      .chain((annotation) => fc.constantFrom(annotated({ a: annotation }), annotated(annotation, null))),
    'paths to prototypes': fc
      .tuple(fc.constantFrom(...prototypeNames), fc.constantFrom('', '.a', '.polluted'), fc.constantFrom('', 'a.'))
      .map(([hidden, after, before]) => annotated({ [`${before}${hidden}${after}`]: ['undefined'] })),
    'members of prototypes': fc
      .tuple(fc.constantFrom(...prototypeNames), fc.integer({ min: 0, max: 10 }))
      .map(([hidden, levels]) => ({ json: nested(levels, JSON.parse(`{"${hidden}":{"a":1}}`)) })),
    'paths to what is not there, or has a value': fc
      .constantFrom('b', 'a.b', 'c', 'list.4294967294', 'list.1', 'list.-0', 'list.length', 'text.0', 'toString', '')
      .map((path) => annotated({ [path]: ['undefined'] }, { a: null, c: 1, list: [null], text: 'abc' })),
    'deep values': depth.map((levels) => ({ json: nested(levels) })),
    'deep annotations': depth.map((levels) => annotated({ a: nested(levels) })),
    'many values': count.map((length) => ({ json: Array(length).fill(0) })),
    'many members': count.map((length) => ({
      json: Object.fromEntries(Array.from({ length }, (_, at) => [`n${at}`, 0])),
    })),
    'many annotations': fc.integer({ min: MAX_ANNOTATIONS + 1, max: 5_000 }).map((length) => {
      const names = Array.from({ length }, (_, at) => `n${at}`);
      const json = Object.fromEntries(names.map((each) => [each, null]));
      return annotated(Object.fromEntries(names.map((each) => [each, ['undefined']])), json);
    }),
    'equal references': fc
      .constantFrom<unknown>({ a: ['b'] }, [['a']], [['a'], { b: ['c'] }], 'abc', {})
      .map((referentialEqualities) => ({ json: { a: {} }, meta: { referentialEqualities, v: 1 } })),
    'other versions': fc
      .constantFrom<unknown>(0, 2, '1', [])
      .map((v) => ({ json: { a: null }, meta: { values: { a: ['undefined'] }, v } })),
    'what is no envelope': fc.constantFrom<unknown>(null, 'json', 5, [], [{ json: 1 }], { json: 1, more: 1 }),
    'notes that are none': fc.constantFrom<unknown>(null, 'abc', 5, []).map((meta) => ({ json: {}, meta })),
  };

  test.each(Object.entries(kinds))('%s', (_, sent) => {
    fc.assert(
      fc.property(sent, (value) => {
        expect(() => readInput(value)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
      }),
      { numRuns: 40 },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
