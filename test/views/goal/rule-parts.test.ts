/** Every condition of a goal is one chip, in both languages, and nothing of a rule is left out. */
import type { FilterCondition } from '#src/columns/contract.ts';
import { filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import type { GoalRule, Matcher } from '#src/insights/goals/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { partsOfRule, type RuleTexts } from '#views/goal/rule-parts.ts';
import { en } from '#views/words/en.ts';
import { filterWords } from '#views/words/filters.ts';
import { formatOf } from '#views/words/format.ts';
import { goalWords } from '#views/words/goals.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { tableWords } from '#views/words/tables.ts';

const languages: RuleTexts[] = [
  {
    own: goalWords.en,
    filters: filterWords.en,
    reading: { own: tableWords.en, format: formatOf(en), locale: en.writing.locale },
  },
  {
    own: goalWords['pt-BR'],
    filters: filterWords['pt-BR'],
    reading: { own: tableWords['pt-BR'], format: formatOf(ptBR), locale: ptBR.writing.locale },
  },
];

const text = fc.string({ minLength: 1, maxLength: 12 }).filter((each) => each.trim() !== '');
const condition = fc.record({ name: text, operator: fc.constantFrom(...filterOperators), value: text }).map(
  ({ name, operator, value }): FilterCondition => ({
    about: 'event',
    name: `own ${name}`,
    operator,
    values: takesOf(operator) === 'nothing' ? [] : [takesOf(operator) === 'date' ? '2026-11-30' : value],
  }),
);
const filters = fc.array(condition, { maxLength: 3 }).map((of) => ({ match: 'all' as const, of }));
const page = fc.option(text.map((each) => `/${each.replaceAll('%', '')}`));
const matcher: fc.Arbitrary<Matcher> = fc.oneof(
  fc.record({ of: fc.constant('event' as const), event: text, page, filters }),
  fc.record({ of: fc.constant('page' as const), page: text, filters }),
  fc.record({
    of: fc.constant('element' as const),
    text,
    href: fc.option(text),
    selector: fc.option(text),
    page,
    filters,
  }),
);
const rule: fc.Arbitrary<GoalRule> = fc.oneof(
  fc.record({ kind: fc.constant('event' as const), event: text, filters }),
  fc.record({ kind: fc.constant('page' as const), pages: fc.array(text, { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('action' as const), any: fc.array(matcher, { minLength: 1, maxLength: 4 }) }),
);

/** How many chips there must be, by way. */
function countsOf(of: GoalRule): number[] {
  if (of.kind === 'page') return of.pages.map(() => 1);
  if (of.kind === 'event') return [1 + of.filters.of.length];
  return of.any.map((way) => {
    const clicked = way.of === 'element' ? [way.text, way.href, way.selector] : [];
    const said = [...clicked, way.of === 'page' ? null : way.page].filter((each) => each !== null);
    return 1 + said.length + way.filters.of.length;
  });
}

it.each(languages)('says every condition of a rule in $own.title', (texts) => {
  fc.assert(
    fc.property(rule, (each) => {
      const parts = partsOfRule(each, texts);
      expect(parts.map(({ length }) => length)).toEqual(countsOf(each));
      for (const { of } of parts.flat()) expect(of).not.toBe('');
    }),
    { numRuns: 200 },
  );
});

it('says a rule in words', () => {
  const paid: FilterCondition = { about: 'event', name: 'ends', operator: 'before', values: ['2026-11-30'] };
  const parts = languages.map((texts) =>
    partsOfRule({ kind: 'event', event: 'paid', filters: { match: 'all', of: [paid] } }, texts).map((way) =>
      way.map(({ of, operator, value }) => `${of} ${operator} ${value}`.replace(/\s/g, ' ')),
    ),
  );
  expect(parts).toEqual([
    [['Event equals paid', 'ends before 30 Nov 2026']],
    [['Evento é igual a paid', 'ends antes de 30 nov 2026']],
  ]);
});
