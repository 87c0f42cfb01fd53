/** Templates: filled with the events of a project, and each is a query that its kind accepts. */
import { templateIds } from '#src/insights/saved/contract.ts';
import { readDefinition } from '#src/insights/saved/definition.ts';
import { referencesOf } from '#src/insights/saved/references.ts';
import { templatesFor } from '#src/insights/saved/templates.ts';
import fc from '#test/kit/fast-check.ts';

const shop = {
  events: [
    '$pageview',
    'produto_visto',
    'adicionou_ao_carrinho',
    'checkout_iniciado',
    'pedido_concluido',
    'Cadastro feito',
  ],
  numbers: ['itens', 'valor'],
};

test('a shop has all of them, by its own events', () => {
  const templates = templatesFor(shop);
  expect(templates.map(({ id }) => id).sort()).toEqual([...templateIds].sort());
  const funnel = templates.find(({ id }) => id === 'ecommerceFunnel')?.definition.query;
  expect(funnel?.['steps']).toEqual(shop.events.slice(1, 5).map((event) => ({ event })));
  const average = templates.find(({ id }) => id === 'averageOrder')?.definition;
  expect(average?.query['series']).toEqual([
    { event: { event: 'pedido_concluido' }, measure: { property: 'valor', as: 'mean' } },
  ]);
});

test('a project without events has none, one with views only those of any site', () => {
  expect(templatesFor({ events: [], numbers: [] })).toEqual([]);
  expect(templatesFor({ events: ['$pageview'], numbers: [] }).map(({ id }) => id)).toEqual([
    'weeklyRetention',
    'activePeople',
    'powerUsers',
    'growth',
    'visitPaths',
    'sources',
  ]);
});

test('they are valid queries for any received events', () => {
  const word = fc.constantFrom(
    'order',
    'Completed',
    'signed',
    'up',
    'add',
    'cart',
    'to',
    'purchase',
    'produto',
    'visto',
  );
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_'));
  const events = fc.uniqueArray(fc.oneof(name, fc.constantFrom('$pageview', '$identify')), { maxLength: 8 });
  const numbers = fc.subarray(['valor', 'total', 'itens']);
  fc.assert(
    fc.property(events, numbers, (received, known) => {
      for (const { definition } of templatesFor({ events: received, numbers: known })) {
        const named = referencesOf(readDefinition(definition)).events;
        expect(received).toEqual(expect.arrayContaining(named));
      }
    }),
    { numRuns: 200 },
  );
});
