import { distinctIdOf, isOriginAllowed } from '#src/collect/steps/names.ts';
import { eventMarks } from '#src/events/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { dropOf, finished, testContext } from '../context.ts';

describe('what is no event', () => {
  it.each([
    ['null', null, 'not_an_event'],
    ['a list', [], 'not_an_event'],
    ['no name', { distinct_id: 'd' }, 'no_name'],
    ['an empty name', { event: '', distinct_id: 'd' }, 'no_name'],
    ['a number for a name', { event: 5, distinct_id: 'd' }, 'no_name'],
    ['no one', { event: 'a' }, 'no_distinct_id'],
    ['null as id', { event: 'a', distinct_id: null, properties: {} }, 'no_distinct_id'],
    ['spaces as id', { event: 'a', distinct_id: ' \t ' }, 'no_distinct_id'],
    ['a recording', { event: '$snapshot', distinct_id: 'd' }, 'recording'],
    ['a heatmap', { event: '$$heatmap', distinct_id: 'd' }, 'heatmap'],
    ['a performance event', { event: '$performance_event', distinct_id: 'd' }, 'performance'],
    ['a note of the client', { event: '$$client_ingestion_warning', distinct_id: 'd' }, 'client_notice'],
  ])('%s', (_name, raw, reason) => {
    expect(dropOf(raw as never)).toBe(reason);
  });

  it('an inherited name is an ordinary one', () => {
    expect(dropOf({ event: 'constructor', distinct_id: 'd' })).toBeNull();
    expect(dropOf({ event: '$constructor', distinct_id: '__proto__' })).toBeNull();
  });
});

describe('distinct ids', () => {
  it('beside the properties wins, null does not', () => {
    expect(finished({ distinct_id: 'outer', properties: { distinct_id: 'inner' } }).distinctId).toBe('outer');
    expect(finished({ distinct_id: null, properties: { distinct_id: 'inner' } }).distinctId).toBe('inner');
    expect(finished({ distinct_id: null, $distinct_id: 'legacy' }).distinctId).toBe('legacy');
  });

  it.each([
    [42, '42'],
    [true, 'true'],
    [{ a: 1 }, '{"a":1}'],
    ['null ', 'null '],
    ['  x', '  x'],
    ['', null],
    ['☕'.repeat(200), '☕'.repeat(200)],
    [`${'a'.repeat(199)}🚀`, `${'a'.repeat(199)}🚀`],
  ])('%p is %p', (given, id) => {
    expect(distinctIdOf(given as never)).toBe(id);
  });
});

it('cuts long ids to 200 characters that still tell them apart', () => {
  const long = fc.string({ unit: 'grapheme', minLength: 201, maxLength: 400 }).filter((id) => [...id].length > 200);
  fc.assert(
    fc.property(long, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), (id, more) => {
      const [one, other] = [distinctIdOf(id), distinctIdOf(id + more)] as [string, string];
      expect([[...one].length, [...other].length]).toEqual([200, 200]);
      expect(one).not.toBe(other);
      expect(distinctIdOf(id)).toBe(one);
      expect(distinctIdOf(one)).toBe(one);
      expect(one.isWellFormed()).toBe(id.slice(0, one.indexOf('~')).isWellFormed());
    }),
  );
});

it('cuts long names, without half a character, and says so', () => {
  const context = testContext();
  const event = finished({ event: `${'a'.repeat(199)}🚀`, distinct_id: 'x'.repeat(201) }, context);
  expect(event.event).toBe('a'.repeat(199));
  expect(event.distinctId).toHaveLength(200);
  expect(context.warnings.map((warning) => warning.detail)).toEqual(['event name', 'distinct id']);
});

it('marks events that leave their person alone', () => {
  expect(finished({ properties: { $process_person_profile: false } }).marks & eventMarks.personless).toBe(
    eventMarks.personless,
  );
  expect(finished({ properties: { $process_person_profile: true } }).marks & eventMarks.personless).toBe(0);
});

describe('origins', () => {
  const allowed = ['https://loja.example/', 'https://*.exemplo.com.br'];
  it.each([
    [null, true],
    ['https://loja.example', true],
    ['HTTPS://LOJA.EXAMPLE', true],
    ['http://loja.example', false],
    ['https://loja.example.evil', false],
    ['https://blog.exemplo.com.br', true],
    ['https://exemplo.com.br', false],
    ['https://evilexemplo.com.br', false],
    ['null', false],
  ])('%p: %p', (origin, isAllowed) => {
    expect(isOriginAllowed(origin, allowed)).toBe(isAllowed);
    expect(isOriginAllowed(origin, [])).toBe(true);
    const context = testContext({ settings: { allowedOrigins: allowed }, facts: { origin } });
    expect(dropOf({ event: 'a', distinct_id: 'd' }, context)).toBe(isAllowed ? null : 'origin');
  });
});
