import { liveAddress, liveInput, readLive } from '#views/screens/events/live-address.ts';
import { conditionsOf } from '#views/screens/events/live-conditions.ts';

const read = (text: string) => readLive(new URLSearchParams(text));

it.each([
  '',
  'name=%24pageview',
  'name=a&name=b&not=%24autocapture&page=%2Fblog%2F*&country=BR%2CPT&who=anonymous&bots=hide&event=1_x',
])('reads what it writes: %s', (text) => {
  const question = read(text);
  const address = liveAddress('/project/1/live', question);
  expect(readLive(new URL(address, 'https://luneta.example').searchParams)).toEqual(question);
});

it('takes what a form sends, and leaves out what makes no sense', () => {
  expect(read('name=&name=+ping+&not=&page=&country=br,+pt;x&who=&bots=maybe')).toEqual({
    event: null,
    filter: { names: ['ping'], countries: ['BR'] },
  });
  expect(liveInput('1', read('who=nobody'))).toEqual({ project: '1' });
  expect(liveInput('1', read('who=identified'))).toEqual({ project: '1', filter: { who: 'identified' } });
});

it('takes off one condition at a time', () => {
  const { filter } = read('name=a&name=b&country=BR&bots=only');
  expect(conditionsOf(filter).map(({ about, value }) => [about, value])).toEqual([
    ['names', 'a'],
    ['names', 'b'],
    ['countries', 'BR'],
    ['bots', 'only'],
  ]);
  expect(conditionsOf(filter).map(({ without }) => without)).toEqual([
    { names: ['b'], countries: ['BR'], bots: 'only' },
    { names: ['a'], countries: ['BR'], bots: 'only' },
    { names: ['a', 'b'], bots: 'only' },
    { names: ['a', 'b'], countries: ['BR'] },
  ]);
});

it('looks for paths as browsers send them', () => {
  expect(readLive(new URLSearchParams({ page: ' /busca/café* ' })).filter).toEqual({ page: '/busca/caf%C3%A9*' });
});
