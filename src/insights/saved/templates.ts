/** Insights to start from, filled with the events that the project has received. Pure. */
import type { DefinitionInput, InsightTemplate, TemplateId } from './contract.ts';
import { QUERY_VERSION, type SavedKind } from './values.ts';

export interface Catalogue {
  /** Names, those seen last first, without hidden ones. */
  events: readonly string[];
  /** Names of properties that have numbers. */
  numbers: readonly string[];
}

type Stage = 'view' | 'cart' | 'checkout' | 'order' | 'signUp';

/** Words that names of events are made of, in English and Portuguese: the first name that has all words of a row stands for the stage. */
const stageWords: Record<Stage, readonly (readonly string[])[]> = {
  view: [
    ['product', 'viewed'],
    ['produto', 'visto'],
    ['view', 'item'],
    ['product', 'view'],
    ['visualizou', 'produto'],
  ],
  cart: [
    ['added', 'cart'],
    ['add', 'cart'],
    ['adicionou', 'carrinho'],
    ['product', 'added'],
    ['adicionado', 'carrinho'],
  ],
  checkout: [
    ['checkout', 'started'],
    ['begin', 'checkout'],
    ['checkout', 'iniciado'],
    ['iniciou', 'checkout'],
    ['checkout', 'start'],
  ],
  order: [
    ['order', 'completed'],
    ['purchase'],
    ['pedido', 'concluido'],
    ['compra'],
    ['checkout', 'completed'],
    ['order', 'placed'],
    ['payment', 'succeeded'],
    ['pedido', 'pago'],
  ],
  signUp: [
    ['signed', 'up'],
    ['sign', 'up'],
    ['signup'],
    ['user', 'created'],
    ['account', 'created'],
    ['cadastro'],
    ['registered'],
  ],
};

const amountNames = ['revenue', 'valor', 'total', 'value', 'amount', 'price', 'preco', 'receita'];
const MAX_FEATURES = 5;

/** Templates whose events the project has. */
export function templatesFor(catalogue: Catalogue): InsightTemplate[] {
  const stages = stagesIn(catalogue.events);
  const amount = amountNames.find((name) => catalogue.numbers.includes(name));
  return [...shopTemplates(stages, amount), ...productTemplates(catalogue, stages), ...siteTemplates(catalogue)];
}

type Stages = Partial<Record<Stage, string>>;

function shopTemplates({ view, cart, checkout, order }: Stages, amount: string | undefined): InsightTemplate[] {
  const steps = [view, cart, checkout, order].filter((name) => name !== undefined);
  const isFunnel = order !== undefined && steps.length > 1;
  const funnel = template('ecommerceFunnel', 'funnel', {
    range: 'last_28_days',
    steps: steps.map((event) => ({ event })),
    conversionWindow: { count: 7, unit: 'day' },
  });
  if (order === undefined) return [];
  const retention = template('buyerRetention', 'retention', {
    range: 'last_90_days',
    period: 'week',
    startEvent: { event: order },
    returningEvent: { event: order },
  });
  const orders = template('ordersByWeek', 'trends', {
    range: 'last_90_days',
    interval: 'week',
    compare: 'previous',
    series: [{ event: { event: order } }],
  });
  const money = (id: TemplateId, as: string, display: DefinitionInput['display'] = {}) =>
    template(
      id,
      'trends',
      { range: 'last_28_days', series: [{ event: { event: order }, measure: { property: amount, as } }] },
      display,
    );
  return [
    ...(isFunnel ? [funnel] : []),
    retention,
    orders,
    ...(amount === undefined ? [] : [money('revenue', 'sum'), money('averageOrder', 'mean', { chart: 'number' })]),
  ];
}

function productTemplates({ events }: Catalogue, { signUp, order }: Stages): InsightTemplate[] {
  const own = events.filter((name) => !name.startsWith('$'));
  const first = order ?? own.find((name) => name !== signUp);
  const activation = template('activation', 'funnel', {
    range: 'last_28_days',
    steps: [{ event: signUp }, { event: first }],
    conversionWindow: { count: 7, unit: 'day' },
  });
  const adoption = template('featureAdoption', 'trends', {
    range: 'last_28_days',
    series: own.slice(0, MAX_FEATURES).map((event) => ({ event: { event }, measure: 'persons' })),
  });
  return [...(signUp !== undefined && first !== undefined ? [activation] : []), ...(own.length > 0 ? [adoption] : [])];
}

function siteTemplates({ events }: Catalogue): InsightTemplate[] {
  if (events.length === 0) return [];
  const any = { event: null };
  const views = events.includes('$pageview') ? { event: '$pageview' } : any;
  return [
    template('weeklyRetention', 'retention', {
      range: 'last_90_days',
      period: 'week',
      startEvent: any,
      returningEvent: any,
    }),
    template('activePeople', 'trends', {
      range: 'last_90_days',
      series: ['dau', 'wau', 'mau'].map((measure) => ({ event: any, measure })),
    }),
    template('powerUsers', 'stickiness', { range: 'last_28_days', interval: 'day', event: any }),
    template('growth', 'lifecycle', { range: 'last_90_days', interval: 'week', event: any }),
    ...(events.includes('$pageview')
      ? [
          template('visitPaths', 'paths', { range: 'last_7_days', stepType: 'pages' }),
          template('sources', 'trends', {
            range: 'last_28_days',
            series: [{ event: views, measure: 'visits' }],
            breakdown: { about: 'event', name: '$referring_domain' },
            limit: 5,
          }),
        ]
      : []),
  ];
}

function template(
  id: TemplateId,
  kind: SavedKind,
  query: Record<string, unknown>,
  display: DefinitionInput['display'] = {},
): InsightTemplate {
  return { id, definition: { kind, version: QUERY_VERSION, query, display } };
}

function stagesIn(events: readonly string[]): Stages {
  const found: Stages = {};
  for (const [stage, rows] of Object.entries(stageWords) as [Stage, readonly (readonly string[])[]][]) {
    const names = rows.flatMap((words) => events.find((name) => hasWords(name, words)) ?? []);
    if (names[0] !== undefined) found[stage] = names[0];
  }
  return found;
}

/** "Order Completed", "order_completed" and "orderCompleted" have the words "order" and "completed". */
function hasWords(name: string, words: readonly string[]): boolean {
  if (name.startsWith('$')) return false;
  const parts = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.every((word) => parts.includes(word));
}
