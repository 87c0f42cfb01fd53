import type { Definition } from '#src/explorer/contract.ts';
import { askedAddress, found, readAsked, sorted } from '#views/screens/events/definition-rows.ts';

const row = (name: string, more: Partial<Definition> = {}): Definition => ({
  ...{ name, type: null, events: 0, firstSeen: 0, lastSeen: 0, description: '', verified: false, hidden: false },
  ...{ owner: null, changedBy: null, changedAt: null },
  ...more,
});
const names = (rows: Definition[]) => rows.map(({ name }) => name);

describe('the list of definitions', () => {
  const rows = [
    row('order', { events: 5, lastSeen: 1, description: 'Somebody paid at the till' }),
    row('$pageview', { events: 9, lastSeen: 2 }),
    row('$device_id', { events: null, lastSeen: 3 }),
    row('about', { events: 5, lastSeen: 1 }),
  ];

  it('is sorted by how many, by name, by when', () => {
    expect(names(sorted(rows, 'events'))).toEqual(['$pageview', 'about', 'order', '$device_id']);
    expect(names(sorted(rows, 'name'))).toEqual(['$device_id', '$pageview', 'about', 'order']);
    expect(names(sorted(rows, 'lastSeen'))).toEqual(['$device_id', '$pageview', 'about', 'order']);
  });

  it('is found in by every word of name and description', () => {
    expect(names(found(rows, ' PAID  ord'))).toEqual(['order']);
    expect(names(found(rows, 'paid view'))).toEqual([]);
    expect(found(rows, ' ')).toHaveLength(4);
  });

  it.each(['', '?kind=property', '?sort=name', '?kind=property&sort=lastSeen&open=%24pathname'])(
    '%s stands in the address',
    (text) => {
      expect(askedAddress('7', readAsked(new URLSearchParams(text)))).toBe(`/project/7/events/definitions${text}`);
    },
  );
});
