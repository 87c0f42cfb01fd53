import { breakdownDimensions } from '#src/insights/contract.ts';
import { addressOf, cards, readQuestion } from '#views/question/question.ts';

const read = (text: string) => readQuestion(new URLSearchParams(text));

describe('readQuestion', () => {
  it('has the defaults for an empty address', () => {
    expect(addressOf('/x', read(''))).toBe('/x');
    expect(read('')).toMatchObject({ range: 'last_28_days', compare: 'previous', interval: null, metric: 'visitors' });
  });

  it.each([
    'range=last_7_days&compare=year&interval=hour&metric=bounceRate&view=table',
    'from=2026-10-01&to=2026-10-31&compare=none',
    'compare=weekday',
    'compareFrom=2026-10-01&compareTo=2026-10-31&range=today',
    'details=page&sort=visitors',
    'details=page&sort=-visitors&page=3',
    'details=event&sort=-count',
    'details=vitals&sort=-percentile&page=2',
    'vital=CLS&percentile=99',
    'bots=include&internal=include',
    'details=utmTerm&sort=bounceRate&find=caf%C3%A9',
    'pages=outbound&sources=utmMedium&places=timeZone&tech=viewportWidth',
    'install=npm',
    'metric=revenue.BRL&goal=7',
    'metric=conversionRate&goal=12&done=goal',
    'per=visit&goal=12',
  ])('%s survives being written and read', (text) => {
    const question = read(text);
    expect(addressOf('/x', question, question.page)).toBe(`/x?${text}`);
  });

  it.each([
    ['range=tomorrow', ''],
    ['metric=__proto__', ''],
    ['metric=toString', ''],
    ['metric=revenue.brl&goal=-1', ''],
    ['goal=1e3', ''],
    ['per=person', ''],
    ['percentile=50', ''],
    ['per=visitor', ''],
    ['sort=-nothing&page=0', '?sort=-count'],
    // Each table has columns of its own.
    ['details=page&sort=percentile', '?details=page'],
    ['details=vitals&sort=visitors', '?details=vitals'],
    // Another question begins on its first page.
    ['details=page&page=2', '?details=page'],
    ['bots=yes&internal=', ''],
    ['from=2026-13-01&to=2026-10-31', ''],
    ['from=2026-02-31&to=2026-03-31', ''],
    ['from=2026-10-31&to=2026-10-01', '?from=2026-10-01&to=2026-10-31'],
    ['from=2026-10-31', ''],
    ['compareFrom=2026-10-31&compareTo=2026-10-01', '?compareFrom=2026-10-01&compareTo=2026-10-31'],
    ['compareFrom=2026-10-31&compare=year', '?compare=year'],
    ['compare=&interval=second', ''],
    ['interval=minute', '?interval=minute'],
    // Former names of tables.
    ['tech=system', '?tech=os'],
    ['details=screenSize', '?details=viewportWidth'],
    ['pages=channel&sources=page&tech=__proto__&done=toString', ''],
    ['pages=page&tech=deviceType', ''],
  ])('%s makes sense as %s', (text, wanted) => {
    expect(addressOf('/x', read(text))).toBe(`/x${wanted}`);
  });

  it('has a table for every dimension', () => {
    expect(Object.values(cards).flat().toSorted()).toEqual([...breakdownDimensions, 'goal'].toSorted());
  });
});
