/** Persons by what they did are in the order that a map of all of them gives, page after page, whatever was merged and however it lies in chunks. */
import { type FiguresPart, sumFigures } from '#src/columns/kernels/person-figures.ts';
import { type PersonMeasure, personValues, topPersons } from '#src/columns/kernels/rank-persons.ts';
import fc from '#test/kit/fast-check.ts';

/** What a chunk says of a person: events, visits, and amounts by currency. */
interface Did {
  person: number;
  events: number;
  visits: number[];
  paid: { currency: string; cents: number }[];
}

const did: fc.Arbitrary<Did> = fc.record({
  person: fc.integer({ min: 1, max: 12 }),
  events: fc.integer({ min: 1, max: 4 }),
  visits: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
  paid: fc.uniqueArray(
    fc.record({ currency: fc.constantFrom('BRL', 'USD'), cents: fc.integer({ min: 1, max: 9_999 }) }),
    {
      maxLength: 2,
      selector: ({ currency }) => currency,
    },
  ),
});
const chunk = fc.uniqueArray(did, { maxLength: 10, selector: ({ person }) => person });

function partOf(dids: readonly Did[]): FiguresPart {
  const currencies = [...new Set(dids.flatMap(({ paid }) => paid.map(({ currency }) => currency)))];
  const paid = dids.flatMap((each, place) => each.paid.map((one) => ({ ...one, place })));
  let end = 0;
  return {
    persons: Int32Array.from(dids, ({ person }) => person),
    events: Int32Array.from(dids, ({ events }) => events),
    lastSeen: new Float64Array(dids.length),
    visits: Float64Array.from(dids.flatMap(({ person, visits }) => visits.map((visit) => person * 100 + visit))),
    visitEnds: Int32Array.from(dids, ({ visits }) => (end += visits.length)),
    currencies,
    paid: Int32Array.from(paid, ({ place }) => place),
    paidIn: Int32Array.from(paid, ({ currency }) => currencies.indexOf(currency)),
    sums: Float64Array.from(paid, ({ cents }) => cents / 100),
  };
}

function expected(
  chunks: readonly (readonly Did[])[],
  into: Map<number, number>,
  measure: PersonMeasure,
  only: Set<number> | null,
) {
  const own = new Map<number, Did[]>();
  for (const each of chunks.flat()) {
    const now = into.get(each.person) ?? each.person;
    own.set(now, [...(own.get(now) ?? []), each]);
  }
  const payers = (currency: string) =>
    [...own.values()].filter((dids) => dids.some(({ paid }) => paid.some((one) => one.currency === currency))).length;
  const main = payers('USD') > payers('BRL') ? 'USD' : 'BRL';
  const valueIn = (dids: Did[]) => {
    if (measure === 'events') return dids.reduce((sum, { events }) => sum + events, 0);
    if (measure === 'visits')
      return new Set(dids.flatMap(({ person, visits }) => visits.map((each) => `${person} ${each}`))).size;
    const cents = dids.flatMap(({ paid }) => paid).filter(({ currency }) => currency === main);
    return cents.reduce((sum, each) => sum + each.cents, 0) / 100;
  };
  return [...own]
    .filter(([number]) => only === null || only.has(number))
    .map(([number, dids]) => ({ number, value: valueIn(dids) }))
    .sort((one, other) => other.value - one.value || other.number - one.number);
}

it('ranks persons as a map of all of them does, page by page', () => {
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 5 }),
      fc.array(fc.tuple(fc.integer({ min: 7, max: 12 }), fc.integer({ min: 1, max: 6 })), { maxLength: 4 }),
      fc.constantFrom<PersonMeasure>('events', 'visits', 'revenue'),
      fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 20 })), { nil: null }),
      fc.integer({ min: 1, max: 4 }),
      (chunks, merges, measure, only, limit) => {
        const into = new Map(merges);
        const mergedInto =
          into.size === 0 ? null : Int32Array.from({ length: 13 }, (_, number) => into.get(number) ?? 0);
        const plan = { mergedInto, measure, only: only && Int32Array.from(only) };
        const values = personValues(plan, chunks.map(partOf));
        const found: { number: number; value: number }[] = [];
        for (;;) {
          const page = topPersons({ after: found.at(-1) ?? null, limit }, values);
          found.push(...Array.from(page.persons, (number, at) => ({ number, value: page.values[at] as number })));
          if (page.persons.length < limit) break;
        }
        expect(found).toEqual(expected(chunks, into, measure, only && new Set(only)));
      },
    ),
    { numRuns: 200 },
  );
});

it('puts the currency of most people first, however often each of them paid', () => {
  const paidIn = (person: number, currency: string): Did => {
    return { person, events: 1, visits: [], paid: [{ currency, cents: 100 }] };
  };
  const parts = [[paidIn(1, 'USD')], [paidIn(1, 'USD'), paidIn(2, 'BRL')], [paidIn(1, 'USD'), paidIn(3, 'BRL')]];
  const plan = { mergedInto: null, people: Int32Array.of(1, 2, 3) };
  expect(sumFigures(plan, parts.map(partOf)).revenue).toEqual([
    { currency: 'BRL', sums: Float64Array.of(0, 1, 1) },
    { currency: 'USD', sums: Float64Array.of(3, 0, 0) },
  ]);
});
