import { fromServerCapture, openEnvelope } from '#src/collect/envelope.ts';

const event = { event: 'a', properties: { token: 'lnt_inner' } };

describe('shapes', () => {
  it('opens an envelope', () => {
    const batch = openEnvelope(
      { api_key: 'lnt_a', batch: [event], sent_at: '2026-11-19T15:00:00.000Z', historical_migration: true },
      {},
    );
    expect(batch).toEqual({ token: 'lnt_a', events: [event], sentAt: Date.UTC(2026, 10, 19, 15), historical: true });
  });

  it('takes a bare list, with the time from the query', () => {
    const batch = openEnvelope([event, { event: 'b' }], { sentAtMs: '1795100400000' });
    expect(batch).toEqual({
      token: 'lnt_inner',
      events: [event, { event: 'b' }],
      sentAt: 1_795_100_400_000,
      historical: false,
    });
  });

  it('reads the time it was sent in the spellings that events use, without a zone as UTC', () => {
    const sentAt = (sent_at: string) => openEnvelope({ api_key: 'lnt_a', batch: [event], sent_at }, {}).sentAt;
    const spellings = ['2026-11-19T18:00:00+03', '2026-11-19 15:00:00', '2026-11-19T15:00:00.000', '1795100400000'];
    expect(spellings.map(sentAt)).toEqual(Array(4).fill(Date.UTC(2026, 10, 19, 15)));
    expect(sentAt('soon')).toBeNull();
  });

  it('takes a bare object', () => {
    expect(openEnvelope({ ...event, api_key: 'lnt_a' }, {}).token).toBe('lnt_a');
  });

  it('reads the legacy object without a name as person properties', () => {
    const { events, token } = openEnvelope({ $token: 'lnt_a', $distinct_id: 'x', $set: { a: 1 } }, { isEngage: true });
    expect(events).toEqual([{ $token: 'lnt_a', $distinct_id: 'x', $set: { a: 1 }, event: '$set' }]);
    expect(token).toBe('lnt_a');
  });

  it.each([
    ['a list', (sets: unknown[]) => sets],
    ['an envelope', (sets: unknown[]) => ({ api_key: 'lnt_a', batch: sets })],
  ])('reads %s of those so, and leaves what has a name alone', (_name, of) => {
    const sets = [{ $token: 'lnt_a', $set: { a: 1 } }, { $token: 'lnt_a', event: null }, { event: '' }, null];
    const value = of([...structuredClone(sets), { event: 'a' }]) as never;
    const { events, token } = openEnvelope(value, { isEngage: true });
    expect(events).toEqual([...sets.map((each) => each && { ...each, event: '$set' }), { event: 'a' }]);
    expect(token).toBe('lnt_a');
    expect(openEnvelope(of(structuredClone(sets)) as never, {}).events).toEqual(sets);
  });

  it('does not believe a time in seconds', () => {
    expect(openEnvelope([event], { sentAtMs: '1795100400' }).sentAt).toBeNull();
    expect(openEnvelope([event], { sentAtMs: 'soon' }).sentAt).toBeNull();
  });

  it.each([
    ['a number', 1],
    ['null', null],
    ['text', 'x'],
  ])('refuses %s', (_name, value) => {
    expect(() => openEnvelope(value, {})).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('refuses an empty batch', () => {
    expect(() => openEnvelope([], {})).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => openEnvelope({ api_key: 'lnt_a', batch: [] }, {})).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});

describe('tokens', () => {
  const tokenOf = (given: string) => openEnvelope({ api_key: given, batch: [{}] }, {}).token;

  it('trims', () => {
    expect(tokenOf(' lnt_a ')).toBe('lnt_a');
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['not ASCII', 'lnt_é'],
    ['NUL', 'lnt_\0'],
    ['a personal key', 'phx_abc'],
    ['ours', 'lnk_abc'],
    ['spaces inside', 'a b'],
  ])('refuses %s', (_name, token) => {
    expect(() => tokenOf(token)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });

  it('refuses several', () => {
    const events = [{ properties: { token: 'lnt_a' } }, { properties: { token: 'lnt_b' } }];
    expect(() => openEnvelope(events, {})).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    expect(openEnvelope({ token: 'lnt_c', batch: events }, {}).token).toBe('lnt_c');
  });

  it('does not stumble over events that are none', () => {
    expect(openEnvelope([null, 1, 'x', [], event], {}).token).toBe('lnt_inner');
    expect(() => openEnvelope([null], {})).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });
});

it('brings the newer server capture into the usual form', () => {
  const sent = {
    event: 'a',
    uuid: 'u',
    distinct_id: 'd',
    session_id: 's',
    window_id: 'w',
    options: { process_person_profile: false, disable_skew_correction: true, cookieless_mode: true },
    properties: { x: 1 },
  };
  expect(fromServerCapture(sent, 'posthog-node/5.70.0')).toMatchObject({
    event: 'a',
    properties: {
      x: 1,
      $session_id: 's',
      $window_id: 'w',
      $process_person_profile: false,
      $ignore_sent_at: true,
      $cookieless_mode: true,
      $lib: 'posthog-node',
      $lib_version: '5.70.0',
    },
  });
  expect(fromServerCapture(null, undefined)).toBeNull();
});
