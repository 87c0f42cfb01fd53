/** Bodies that are made to cost much are refused before the expensive part of reading them. */

import { decode } from '#src/collect/decode.ts';
import { decodeFormValue, readFormFields } from '#src/collect/form.ts';
import { readJson } from '#src/collect/json.ts';
import { checkJsonBounds, endOfString } from '#src/collect/json-bounds.ts';
import { AppError } from '#src/kit/errors.ts';
import { makeBombs } from '#test/kit/bombs.ts';
import fc from '#test/kit/fast-check.ts';

describe('bombs', () => {
  it.each(makeBombs(16 * 1024 * 1024))('$kind', async (bomb) => {
    const error = await decode(bomb).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    expect(['invalid', 'too_large']).toContain((error as AppError).code);
  });

  it('does not take a form apart into more fields than clients send', () => {
    expect(readFormFields(`${'a=1&'.repeat(31)}data=x`, ['data']).data).toBe('x');
    expect(readFormFields(`${'a=1&'.repeat(100)}data=x`, ['data']).data).toBeNull();
  });
});

describe('what is no bomb', () => {
  it('decodes form values as URLSearchParams does', () => {
    const piece = fc.constantFrom('+', '%', '%2', '%zz', '%e2%98%95', '%ff', '%00', 'a', ' ', '=', '%26');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const value = pieces.join('');
        expect(decodeFormValue(value)).toBe(new URLSearchParams(`data=${value}`).get('data'));
        expect(readFormFields(`ip=1&data=${value}`, ['data']).data).toBe(decodeFormValue(value));
      }),
    );
  });

  it('keeps characters that a form did not escape, beside broken sequences', () => {
    expect(decodeFormValue('é+☕%zz%e2%98%95')).toBe('é ☕%zz☕');
  });

  it('finds the end of any JSON string', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n', '{') }), (content) => {
        const text = JSON.stringify(content);
        expect(endOfString(`${text},"x"`, 0)).toBe(text.length);
      }),
    );
  });

  it('passes structure that is within strings', async () => {
    await expect(checkJsonBounds(JSON.stringify(['[{,"\\'.repeat(300_000)]))).resolves.toMatchObject({ start: 1 });
  });

  it('reads large texts in parts as JSON.parse reads the whole', async () => {
    const piece = fc.constantFrom(
      ',',
      ' ',
      '{}',
      '[1,[2]]',
      '"batch":',
      '"a":',
      '{"batch":[1]}',
      '"],["',
      'null',
      ']',
      '[',
      '}',
    );
    const around = fc.constantFrom(
      ['[', ']'],
      ['{"batch":[', ']}'],
      ['{"a":[1],"batch" : [', '],"b":[{"batch":[2]}]}'],
      ['{"a":{"batch":[', ']}}'],
    );
    const long = JSON.stringify({ long: 'x'.repeat(70_000) });
    const property = fc.asyncProperty(around, fc.array(piece, { maxLength: 5 }), async ([open, close], pieces) => {
      const text = `${open}${long},${long},${pieces.join('')}${close}`;
      const read = await Promise.resolve(text)
        .then(readJson)
        .catch(() => 'unreadable');
      expect(read).toEqual(parsedOr(text, 'unreadable'));
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('reads a batch of 10,000 events with 60 properties each', async () => {
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`property ${at}`, at]));
    const batch = Array.from({ length: 10_000 }, (_, at) => ({ event: 'seen', uuid: at, properties }));
    await expect(readJson(JSON.stringify({ api_key: 'x', batch }))).resolves.toEqual({ api_key: 'x', batch });
  });
});

function parsedOr<Else>(text: string, otherwise: Else): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
