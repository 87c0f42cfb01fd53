/** Separation of pages by host. */
import { besideText } from '#src/columns/filters/visit-fields.ts';
import { areOfSeveralHosts, haveToBeJoined } from '#src/insights/query/hosts.ts';

const row = (host: string, path: string, count: number) => ({ value: besideText(host, path), count });

it.each([
  ['one host', [row('a.example', '/', 5), row('', '/', 5)], false],
  ['two hosts', [row('a.example', '/', 99), row('b.example', '/', 1)], true],
  ['a stray host', [row('a.example', '/', 100), row('a-example.translate.goog', '/', 1)], false],
  [
    'strays of one host',
    [row('a.example', '/', 960), ...Array.from({ length: 9 }, (_, at) => row(`p${at}.a`, '/', 4))],
    false,
  ],
  ['many small hosts', Array.from({ length: 200 }, (_, at) => row(`${at}.example`, '/', 1)), true],
  ['nothing', [], false],
])('is shown for %s: %#', (_, rows, wanted) => {
  expect(areOfSeveralHosts(rows)).toBe(wanted);
});

it('adds a page up whose stray host goes without saying', () => {
  const rows = [row('a.example', '/', 500), row('a-example.translate.goog', '/', 1)];
  expect(haveToBeJoined(rows)).toBe(true);
  expect(haveToBeJoined([row('a.example', '/', 500), row('b.example', '/', 500)])).toBe(false);
});
