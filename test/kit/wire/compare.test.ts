/** The comparison behind the wire suite: what is wrong is said, what is right is not. */
import { differences } from './compare.ts';
import type { Expectations, Fixture } from './fixture.ts';
import type { Stored, StoredEvent } from './stored.ts';

const AT = '2026-11-19T15:00:00.000Z';

function event(changes: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...{
      event: 'bought',
      distinctId: 'id-of-anon',
      uuid: 'u',
      session: 'session-1',
      ts: Date.parse(AT),
      receivedAt: Date.parse(AT),
    },
    ...{ marks: ['personless'], properties: { price: 3, deep: { list: [1, { a: 2, b: 3 }] } }, person: 1 },
    ...changes,
  };
}

function wrong(expected: Partial<Expectations>, changes: Partial<Stored> = {}): string[] {
  const fixture: Fixture = {
    name: 'x',
    head: { client: 'http', version: '1', case: 'x', about: '', project: 'p', known: { anon: 'id-of-anon' } },
    requests: [{ at: AT, method: 'POST', path: '/e/', headers: {} }],
    expect: { answers: { all: 200 }, events: [{ event: 'bought' }], ...expected },
  };
  const stored: Stored = {
    events: [event()],
    persons: [{ number: 1, distinctIds: ['id-of-anon'], identified: false, hasProfile: false, properties: {} }],
    sessions: [
      { session: 'session-1', events: 1, views: 0, autocaptures: 0, bot: false, entryPath: null, exitPath: null },
    ],
    groups: [],
    drops: {},
    counted: 1,
    ...changes,
  };
  return differences(fixture, [{ status: 200, headers: {}, text: '{"status":1,"more":true}' }], stored);
}

it('says nothing when all is as expected', () => {
  const full = { event: 'bought', distinctId: '{anon}', session: '?s', time: AT, marks: ['personless'], uuid: 'U' };
  const properties = { price: 3, deep: { list: [1, { a: 2 }] }, absent: null };
  expect(wrong({ events: [{ ...full, properties }], answers: [{ status: 200, body: { status: 1 } }] })).toEqual([]);
  expect(wrong({ persons: [{ distinctIds: ['{anon}'], identified: false }] })).toEqual([]);
});

it.each<[string, Partial<Expectations>, Partial<Stored>?]>([
  ['another status', { answers: { all: 400 } }],
  ['an answer without a member', { answers: [{ status: 200, body: { quota_limited: [] } }] }],
  ['another distinct id', { events: [{ event: 'bought', distinctId: '{other}' }] }],
  ['another session', { events: [{ event: 'bought', session: null }] }],
  ['a time a millisecond off', { events: [{ event: 'bought', time: '2026-11-19T15:00:00.001Z' }] }],
  ['a mark too few', { events: [{ event: 'bought', marks: [] }] }],
  ['another value', { events: [{ event: 'bought', properties: { price: 4 } }] }],
  ['another value deep inside', { events: [{ event: 'bought', properties: { deep: { list: [1, { a: 3 }] } } }] }],
  ['a longer list', { events: [{ event: 'bought', properties: { deep: { list: [1] } } }] }],
  ['a property that should be absent', { events: [{ event: 'bought', properties: { price: null } }] }],
  ['an event that is missing', { events: [{ event: 'bought', times: 2 }] }],
  ['an event too many', { events: [] }],
  [
    'a person that is missing',
    {
      persons: [
        { distinctIds: ['{anon}'], identified: false },
        { distinctIds: ['x'], identified: false },
      ],
    },
  ],
  ['a person too many', { persons: [] }],
  ['a person with another id besides', { persons: [{ distinctIds: ['{anon}', 'x'], identified: false }] }],
  ['an identified person', { persons: [{ distinctIds: ['{anon}'], identified: true }] }],
  ['a session with another number of views', { sessions: [{ session: 'session-1', views: 1 }] }],
  ['a drop', {}, { drops: { no_name: 1 } }],
  ['counts that disagree with the rows', {}, { counted: 2 }],
  ['an event of another person than its id', {}, { events: [event({ person: 2 })] }],
  ['a session that counts too many events', {}, { events: [event({ session: null })] }],
])('says so for %s', (_, expected, stored = {}) => {
  expect(wrong(expected, stored)).toHaveLength(1);
});

it('binds a name to what it finds first', () => {
  const both = [event(), event({ event: 'sold', distinctId: 'someone else' })];
  const expected = ['bought', 'sold'].map((name) => ({ event: name, distinctId: '?visitor' }));
  const persons = [1, 2].map((number) => ({
    ...{ number, identified: false, hasProfile: false, properties: {} },
    distinctIds: [number === 1 ? 'id-of-anon' : 'someone else'],
  }));
  const changes = {
    events: [both[0] as StoredEvent, { ...(both[1] as StoredEvent), person: 2, session: null }],
    persons,
    counted: 2,
  };
  expect(wrong({ events: expected }, changes)).toEqual([
    'sold: distinct id expected "id-of-anon", stored "someone else"',
  ]);
});
