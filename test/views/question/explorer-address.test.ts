import { exploredAddress, pathOf, propertyOf, readExplored, usualColumns } from '#views/question/explorer-address.ts';
import { addressOf, readQuestion } from '#views/question/question.ts';
import { exportHref } from '#views/screens/events/explorer-inputs.ts';

const read = (text: string) => {
  const search = new URLSearchParams(text);
  return readExplored(search, readQuestion(search));
};
const uuid = '00000000-0000-4000-8000-000000000000';

describe('what the explorer shows, in the address', () => {
  it.each([
    '',
    '?name=order&name=$pageview',
    '?column=event&column=event.$browser&column=person.e-mail',
    `?name=a%26b&after=1700000000000_${uuid}&event=1700000000001_${uuid}&range=today&filter=plan:equals:pro`,
    '?column=event.a.b&from=2026-11-01&to=2026-11-02',
    `?name=order&column=event&before=1700000000000_${uuid}&range=today`,
  ])('%s is written as it was read', (text) => {
    expect(exploredAddress('7', read(text))).toBe(`/project/7/events${text}`);
  });

  it('leaves out what makes no sense', () => {
    const explored = read(`?name=&column=none&column=event.&after=x&event=1&column=detail&column=detail`);
    expect(explored).toMatchObject({ names: [], columns: ['detail'], after: null, open: null });
    expect(read('?column=nothing').columns).toEqual(usualColumns);
  });

  it('keeps names and columns when the question changes, not the page and what is open', () => {
    const explored = read(`?name=order&column=event&after=1_${uuid}&event=1_${uuid}`);
    const next = addressOf(pathOf('7', explored), { ...explored.question, range: 'today' });
    expect(next).toBe('/project/7/events?name=order&column=event&range=today');
  });

  it('tells properties from columns that every event has', () => {
    expect(propertyOf('event')).toBeNull();
    expect(propertyOf('event.person.x')).toEqual({ of: 'event', name: 'person.x' });
    expect(propertyOf('person.email')).toEqual({ of: 'person', name: 'email' });
  });

  it('asks for a file of the same', () => {
    const explored = read('?name=order&column=event.plan&range=today&filter=plan:equals:pro');
    const csv = new URL(exportHref('7', explored, 'csv'), 'http://x');
    expect(csv.pathname).toBe('/project/7/events/export');
    expect([...csv.searchParams]).toEqual([
      ['format', 'csv'],
      ['range', 'today'],
      ['name', 'order'],
      ['column', 'event.plan'],
      [
        'filters',
        JSON.stringify({ match: 'all', of: [{ about: 'event', name: 'plan', operator: 'equals', values: ['pro'] }] }),
      ],
    ]);
    const dates = exportHref('7', read('?from=2026-11-01&to=2026-11-02&column=event.plan'), 'ndjson');
    expect(dates).toBe('/project/7/events/export?format=ndjson&from=2026-11-01&to=2026-11-02');
  });
});
