/** What people write to name pages and elements, decided by PostgreSQL as the engine has it decided. */
import { hrefPattern, selectorPattern, textPattern } from '#src/insights/goals/patterns.ts';
import { wholePattern } from '#src/kit/patterns/values.ts';
import { useDatabase } from '#test/kit/database.ts';

const database = useDatabase({ between: 'nothing' });

async function isIn(text: string, pattern: string | null): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>('select $1::text ~ $2::text as found', [text, pattern]);
  return row?.found === true;
}

it.each([
  ['/obrigado', '/obrigado', true],
  ['/obrigado', '/obrigado/', false],
  ['/blog/*', '/blog/2026/cafe', true],
  ['/blog/*', '/blog', false],
  ['*', '', true],
  ['*/checkout', '/pt/checkout', true],
  ['/a.b', '/axb', false],
  ['/a+(b)[c]{2}|d^$\\', '/a+(b)[c]{2}|d^$\\', true],
  ['/say "hi"', '/say "hi"', true],
  ['/x', '/X', false],
])('the page pattern %s and the path %s: %s', async (pattern, path, wanted) => {
  expect(await isIn(path, wholePattern(pattern))).toBe(wanted);
});

const BUTTON =
  'button.big.cta:attr__class="cta big"attr__data-plan="pro; year"attr_id="buy"nth-child="2"text="Buy \\"now\\""';
const LINK = 'a.md:flex:attr__href="/cart?a=1"href="/cart?a=1"nth-child="1"text="To the cart"';
const chain = `b:nth-child="1"text="now";${BUTTON};${LINK};form.f-1:attr__id="order"attr_id="order";main;body:nth-child="2"`;

it.each([
  ['button', true],
  ['b', true],
  ['butto', false],
  ['now', false],
  ['.cta', true],
  ['.big.cta', true],
  ['.cta.big', true],
  ['.ct', false],
  ['.now', false],
  ['button.cta', true],
  ['a.cta', false],
  ['.md\\:flex', true],
  ['#buy', true],
  ['#bu', false],
  ['form#order', true],
  ['button#order', false],
  ['[data-plan]', true],
  ['[data-pla]', false],
  ['[data-plan="pro; year"]', true],
  ['button[data-plan^="pro"]', true],
  ['button[data-plan^="year"]', false],
  ["[data-plan$='year']", true],
  ['[data-plan*=o]', true],
  ['a[data-plan]', false],
  ['[href="/cart?a=1"]', true],
  ['button:nth-child(2)', true],
  ['button:nth-child(1)', false],
  ['form button', true],
  ['main form .cta', true],
  ['button form', false],
  ['a > button', true],
  ['form > button', false],
  ['form>a>button>b', true],
  ['body * b', true],
  ['*', true],
  ['year', false],
])('the selector %s finds the clicked element, or what it lies in: %s', async (selector, wanted) => {
  expect(await isIn(chain, selectorPattern(selector))).toBe(wanted);
});

it.each(['', 'a,b', 'a:hover', 'a + b', '..x', '[x', 'a >', '> a', 'a[x=]', ':nth-child(n)', '#'])(
  'says that %j is no selector for clicks',
  (selector) => {
    expect(selectorPattern(selector)).toBeNull();
  },
);

it.each([
  [textPattern('Buy "now"'), true],
  [textPattern('now'), true],
  [textPattern('Buy'), false],
  [textPattern('Buy*'), true],
  [textPattern('To*cart'), true],
  [textPattern('To*now'), false],
  [hrefPattern('/cart?a=1'), true],
  [hrefPattern('/cart*'), true],
  [hrefPattern('/car'), false],
])('finds texts and links (%#)', async (pattern, wanted) => {
  expect(await isIn(chain, pattern)).toBe(wanted);
});

it('is decided quickly on long chains', async () => {
  const long = Array.from(
    { length: 200 },
    (_, at) => `div.a${at}:attr__class="a${at}"nth-child="${at}"text="${'x;'.repeat(50)}"`,
  );
  expect(await isIn(long.join(';'), selectorPattern('main > div.a1 .b[data-x*="y"] a#z'))).toBe(false);
  expect(await isIn(long.join(';'), selectorPattern('.a199 .a0'))).toBe(true);
});
