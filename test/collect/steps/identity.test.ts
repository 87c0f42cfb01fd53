import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import { dropOf, finished, NOW, testContext } from '../context.ts';

const HOUR = 3_600_000;

describe('uuid', () => {
  const UUID = '0193ABCD-1234-7000-8000-000000000001';

  it('is the client’s, in lower case', () => {
    expect(finished({ uuid: UUID }).uuid).toBe(UUID.toLowerCase());
  });

  it.each(['order-77', '', 7, {}, '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'])(
    'is none that two events share: %j',
    (given) => {
      const context = testContext();
      const timestamp = '2026-11-19T14:00:00Z';
      const send = (properties: JsonObject) => finished({ uuid: given as never, timestamp, properties }, context).uuid;
      const [one, other] = [send({ a: 1 }), send({ a: 2 })];
      expect(one).toMatch(/^[0-9a-f-]{36}$/);
      expect(other).not.toBe(one);
      expect(finished({ uuid: given as never, timestamp, properties: { a: 1 } }, testContext()).uuid).toBe(one);
      expect(context.warnings.map(({ reason }) => reason)).toEqual(given === '' ? [] : ['bad_uuid', 'bad_uuid']);
    },
  );

  it('is read in any spelling', () => {
    const context = testContext();
    const plain = UUID.toLowerCase();
    for (const spelling of [UUID.replaceAll('-', ''), `{${plain}}`, `urn:uuid:${plain}`]) {
      expect(finished({ uuid: spelling }, context).uuid).toBe(plain);
    }
    expect(context.warnings).toEqual([]);
  });

  it('comes from the client’s insert id, at any time', () => {
    const of = (insertId: string, timestamp: string) =>
      finished({ timestamp, properties: { $insert_id: insertId } }).uuid;
    expect(of('abc', '2026-11-19T14:00:00Z')).toBe(of('abc', '2026-11-19T14:00:01Z'));
    expect(of('abc', '2026-11-19T14:00:00Z')).not.toBe(of('abd', '2026-11-19T14:00:00Z'));
  });

  it('comes from time and content, in any order of properties', () => {
    const timestamp = '2026-11-19T14:00:00Z';
    const one = finished({ timestamp, properties: { a: 1, b: { c: 2, d: [3] } } }).uuid;
    expect(finished({ timestamp, properties: { b: { d: [3], c: 2 }, a: 1 } }).uuid).toBe(one);
    expect(finished({ timestamp, properties: { a: 2, b: { c: 2, d: [3] } } }).uuid).not.toBe(one);
    expect(finished({ timestamp, distinct_id: 'e', properties: { a: 1, b: { c: 2, d: [3] } } }).uuid).not.toBe(one);
  });

  it('comes from what stands beside the properties, too', () => {
    const of = (beside: JsonObject) => finished({ event: '$set', timestamp: '2026-11-19T14:00:00Z', ...beside }).uuid;
    expect(of({ $set: { a: 1 } })).toBe(of({ $set: { a: 1 } }));
    const all = [{}, { $set: { a: 1 } }, { $set: { b: 1 } }, { $set_once: { a: 1 } }, { $unset: ['a'] }].map(of);
    expect(new Set(all).size).toBe(all.length);
  });

  it('comes from a message id as well', () => {
    const of = (messageId: string, more: JsonObject = {}) => finished({ messageId, ...more }).uuid;
    expect(of('m1', { timestamp: '2026-11-19T14:00:00Z' })).toBe(of('m1'));
    expect(of('m2')).not.toBe(of('m1'));
    expect(of('m1', { properties: { $insert_id: 'i' } })).toBe(of('m2', { properties: { $insert_id: 'i' } }));
    expect(of('m1', { uuid: UUID })).toBe(UUID.toLowerCase());
  });

  it('is one for each of equal events in a request, the same when it is sent again', () => {
    const equal = { timestamp: '2026-11-19T14:00:00Z', properties: { sku: 'A' } };
    const sent = [equal, { ...equal, properties: { sku: 'B' } }, equal, equal];
    const send = () => {
      const context = testContext();
      return sent.map((each) => finished(each, context).uuid);
    };
    expect(new Set(send()).size).toBe(4);
    expect(send()).toEqual(send());
    expect(send()[0]).toBe(finished(equal, { ...testContext(), earlier: null }).uuid);
    const context = testContext();
    const named = [1, 2].map(() => finished({ ...equal, properties: { $insert_id: 'i' } }, context).uuid);
    expect(new Set(named).size).toBe(1);
  });

  it('is random without either', () => {
    expect(finished({}).uuid).not.toBe(finished({}).uuid);
    expect(finished({ uuid: '' }).uuid).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('session', () => {
  const sessionOf = (id: unknown, raw: object = {}) => {
    const event = finished({
      timestamp: new Date(NOW).toISOString(),
      properties: { $session_id: id as never },
      ...raw,
    });
    return { session: event.session, kept: event.properties['$session_id'] };
  };

  it('is a UUIDv7 of the last day', () => {
    const id = uuidV7(NOW - HOUR);
    expect(sessionOf(id)).toEqual({ session: id, kept: undefined });
    expect(sessionOf(id.toUpperCase()).session).toBe(id);
  });

  it('may be made a moment after the event that begins it', () => {
    expect(sessionOf(uuidV7(NOW + 26)).session).not.toBeNull();
  });

  it.each([
    ['a day old', uuidV7(NOW - 24 * HOUR)],
    ['of tomorrow', uuidV7(NOW + HOUR)],
    ['of another version', '0193abcd-1234-4000-8000-000000000001'],
    ['no UUID', '1a1fb2e06a74e5-001541e151194b'],
  ])('is none when the id is %s; the id stays a property', (_name, id) => {
    expect(sessionOf(id)).toEqual({ session: null, kept: id });
  });

  it('is compared by the client’s own clock', () => {
    const wrong = NOW - 26 * HOUR;
    const context = testContext({ facts: { sentAt: wrong } });
    const id = uuidV7(wrong - 10_000);
    const event = finished(
      { timestamp: new Date(wrong - 5_000).toISOString(), properties: { $session_id: id } },
      context,
    );
    expect([event.session, event.ts]).toEqual([id, NOW - 5_000]);
    const aged = testContext({ facts: { sentAt: wrong } });
    expect(finished({ offset: 100, properties: { $session_id: id } }, aged).session).toBe(id);
  });

  it('is none of anything but text', () => {
    expect(sessionOf(5)).toEqual({ session: null, kept: 5 });
    expect(sessionOf(null)).toEqual({ session: null, kept: undefined });
    expect(sessionOf('')).toEqual({ session: null, kept: undefined });
  });
});

describe('what is asked of the person', () => {
  it('merges what stands beside the properties over what stands among them', () => {
    const { person } = finished({
      $set: { a: 1 },
      $set_once: { f: 1 },
      properties: { $set: { a: 2, b: 2 }, $set_once: { g: 2 }, $unset: ['x', 5, 'y'] },
    });
    expect(person).toEqual({
      process: true,
      set: { a: 1, b: 2 },
      setOnce: { f: 1, g: 2 },
      unset: ['x', 'y'],
      identify: false,
      merge: null,
    });
    expect(finished({ properties: { $unset: { x: 1 }, $set: 'no', $set_once: [1] } }).person).toMatchObject({
      set: {},
      setOnce: {},
      unset: ['x'],
    });
  });

  it.each([
    ['$create_alias', { alias: '   ' }, true],
    ['$create_alias', { alias: '' }, true],
    ['$merge_dangerously', {}, true],
    ['$merge_dangerously', { alias: null }, true],
    ['$identify', { $anon_distinct_id: ' ' }, true],
    ['$identify', { $anon_distinct_id: null }, false],
    ['$identify', {}, false],
    ['$create_alias', { alias: 'd' }, false],
    ['$create_alias', { alias: 7 }, false],
    ['anything', { alias: '' }, false],
  ])('%s %p: whether it names nobody is said: %p', (event, properties, isSaid) => {
    const context = testContext();
    finished({ event, properties } as never, context);
    expect(context.warnings.map(({ reason }) => reason)).toEqual(isSaid ? ['illegal_id'] : []);
  });

  it('is never how an event is processed', () => {
    const change = fc.dictionary(
      fc.constantFrom('plan', '$geoip_disable', '$geoip_city_name', '__proto__'),
      fc.jsonValue(),
    );
    const without = (given: Record<string, unknown>) =>
      Object.entries(given).filter(([name]) => name !== '$geoip_disable');
    fc.assert(
      fc.property(change, change, fc.boolean(), (set, once, isBeside) => {
        const changes = { $set: set, $set_once: once } as JsonObject;
        const { person } = finished(isBeside ? changes : { properties: changes });
        expect(Object.entries(person.set)).toEqual(without(set));
        expect(Object.entries(person.setOnce)).toEqual(without(once));
      }),
    );
  });

  it('removes what stands at either place', () => {
    const unsetOf = (outer: JsonValue, inner: JsonValue) =>
      finished({ $unset: outer, properties: { $unset: inner } }).person.unset;
    expect(unsetOf(['a', 'b'], ['b', 'c'])).toEqual(['b', 'c', 'a']);
    expect(unsetOf({ a: 1 }, ['c'])).toEqual(['c', 'a']);
    expect([unsetOf([], ['c']), unsetOf(['a'], 'no'), unsetOf(null, ['c'])]).toEqual([['c'], ['a'], ['c']]);
  });

  it.each([
    [
      '$identify',
      { $anon_distinct_id: 'anon' },
      { identify: true, merge: { kind: 'identify', otherDistinctId: 'anon' } },
    ],
    ['$identify', {}, { identify: true, merge: null }],
    ['$identify', { $anon_distinct_id: 'd' }, { identify: true, merge: null }],
    ['$create_alias', { alias: 77 }, { identify: false, merge: { kind: 'alias', otherDistinctId: '77' } }],
    ['$create_alias', { alias: '' }, { identify: false, merge: null }],
    ['$merge_dangerously', { alias: 'x' }, { identify: false, merge: { kind: 'dangerously', otherDistinctId: 'x' } }],
    ['anything', { alias: 'x', $anon_distinct_id: 'y' }, { identify: false, merge: null }],
  ])('%s %p', (event, properties, wanted) => {
    expect(finished({ event, properties } as never).person).toMatchObject(wanted);
  });

  it('reads groups', () => {
    const event = finished({
      event: '$groupidentify',
      properties: { $group_type: 'company', $group_key: 5, $group_set: { plan: 'pro' }, $set: { a: 1 } },
    });
    expect(event.groupIdentify).toEqual({ type: 'company', key: '5', set: { plan: 'pro' } });
    expect(event.person.set).toEqual({});
    expect(finished({ event: '$groupidentify', properties: {} }).groupIdentify).toBeUndefined();
    expect(finished({ event: '$groupidentify', properties: { $group_type: 'a', $group_key: ' ' } }).groupIdentify).toBe(
      undefined,
    );
  });

  it('exceptions change no one', () => {
    expect(finished({ event: '$exception', $set: { a: 1 } }).person.set).toEqual({});
  });

  it('nothing is asked by personless events, and those that ask all the same get a warning', () => {
    const context = testContext();
    const properties = { $process_person_profile: false, $set: { a: 1 }, $anon_distinct_id: 'x' };
    const { person } = finished({ event: '$identify', properties }, context);
    expect(person).toEqual({ process: false, set: {}, setOnce: {}, unset: [], identify: false, merge: null });
    expect(context.warnings.map((warning) => warning.reason)).toEqual(['person_change_ignored']);
  });
});

it('drops nothing of an ordinary event', () => {
  expect(dropOf({ event: 'a', distinct_id: 'd', properties: null, uuid: null, timestamp: null })).toBeNull();
});
