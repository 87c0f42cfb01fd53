/** Suggestions for misspelt event names, over generated names and mistakes. */

import { similarNames } from '#src/insights/unknown-events/similar-names.ts';
import fc from '#test/kit/fast-check.ts';

const word = fc.stringMatching(/^[a-z]{5,9}$/);
const eventName = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom('_', ' ', '-', '.', ''))
  .map(([words, separator]) => words.join(separator));

/** One mistake: a letter too many, too few or another, two exchanged, or a spelling that means the same. */
const mistake = fc.tuple(
  fc.constantFrom('insert', 'delete', 'replace', 'case', 'separator', 'sigil', 'accent'),
  fc.nat(),
  fc.stringMatching(/^[a-z]$/),
);

function misspelt(name: string, [kind, at, letter]: [string, number, string]): string {
  const place = at % name.length;
  const [before, after] = [name.slice(0, place), name.slice(place)];
  if (kind === 'insert') return before + letter + after;
  if (kind === 'delete') return before + after.slice(1);
  if (kind === 'replace') return before + letter + after.slice(1);
  if (kind === 'case') return name.toUpperCase();
  if (kind === 'separator') return name.replaceAll(/[_ .-]/g, '/');
  return kind === 'sigil' ? `$${name}` : name.replaceAll('a', 'á');
}

it('suggests the name that was meant, and only received names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(eventName, { minLength: 1, maxLength: 40 }), fc.nat(), mistake, (known, at, wrong) => {
      const meant = known[at % known.length] as string;
      const asked = misspelt(meant, wrong);
      const suggestions = similarNames(asked, known);
      expect(suggestions.length).toBeLessThanOrEqual(3);
      expect(known).toEqual(expect.arrayContaining(suggestions));
      // Another name can be as similar; more than three that are nearer than one edit are not generated.
      expect(suggestions).toContain(meant);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['purchse', ['purchase']],
  ['Purchase', ['purchase', 'purchase_completed']],
  ['compra concluida', ['compra_concluída']],
  ['signup', ['sign_up']],
  ['pageview', ['$pageview']],
  ['checkout', ['checkout started']],
  ['buy', []],
  ['something else', []],
])('suggests for %s: %j', (asked, suggestions) => {
  const known = ['$pageview', 'purchase_completed', 'purchase', 'compra_concluída', 'sign_up', 'checkout started', 'x'];
  expect(similarNames(asked, known)).toEqual(suggestions);
});
