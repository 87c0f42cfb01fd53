/** Saved insights of the sample shop. */

import type { UserId } from '#src/accounts/contract.ts';
import { createGoals, createSavedInsights, createSegments } from '#src/insights/insights.ts';
import type { Display, InsightInput } from '#src/insights/saved/contract.ts';
import { QUERY_VERSION, SAMPLE_ACCOUNT, type SavedKind } from '#src/insights/saved/values.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';

type SampleInsight = Omit<InsightInput, 'definition'> & {
  kind: SavedKind;
  query: Record<string, unknown>;
  display?: Display;
};

const order = { event: 'pedido_concluido' };

/** The last one is the first in the list. */
const shopInsights: readonly SampleInsight[] = [
  {
    name: 'Ticket médio',
    description: 'Valor médio dos pedidos, em reais.',
    tags: ['loja'],
    kind: 'trends',
    query: { range: 'last_28_days', series: [{ event: order, measure: { property: 'valor', as: 'mean' } }] },
    display: { chart: 'number' },
  },
  {
    name: 'Dias ativos por pessoa',
    description: '',
    tags: ['clientes'],
    kind: 'stickiness',
    query: { range: 'last_28_days', interval: 'day', event: { event: '$pageview' } },
  },
  {
    name: 'Ciclo de vida semanal',
    description: 'Quem chega, quem volta e quem some.',
    tags: ['clientes'],
    kind: 'lifecycle',
    query: { range: 'last_90_days', interval: 'week', event: { event: '$pageview' } },
  },
  {
    name: 'Conversão em pedidos por semana',
    description: 'De quem viu um produto, quantos concluem um pedido, pela semana em que viram.',
    tags: ['checkout', 'loja'],
    kind: 'funnel',
    query: { range: 'last_90_days', interval: 'week', compare: 'previous', steps: [{ event: 'produto_visto' }, order] },
    display: { funnel: 'entry' },
  },
  {
    name: 'Retenção semanal de compradores',
    description: 'Quem compra de novo, por semana do primeiro pedido.',
    tags: ['loja', 'clientes'],
    kind: 'retention',
    query: { range: 'last_90_days', period: 'week', startEvent: order, returningEvent: order },
  },
  {
    name: 'Pedidos por semana',
    description: '',
    tags: ['loja'],
    kind: 'trends',
    query: { range: 'last_90_days', interval: 'week', compare: 'previous', series: [{ event: order }] },
  },
  {
    name: 'Visitas por origem',
    description: '',
    tags: ['aquisição'],
    kind: 'trends',
    query: {
      range: 'last_28_days',
      series: [{ event: { event: '$pageview' }, measure: 'visits' }],
      breakdown: { about: 'event', name: '$referring_domain' },
      limit: 5,
    },
  },
  {
    name: 'Da vitrine ao pedido',
    description: 'Do produto visto ao pedido concluído, em até sete dias.',
    tags: ['checkout', 'loja'],
    kind: 'funnel',
    query: {
      range: 'last_28_days',
      steps: [{ event: 'produto_visto' }, { event: 'adicionou_ao_carrinho' }, { event: 'checkout_iniciado' }, order],
      optionalSteps: [2],
      conversionWindow: { count: 7, unit: 'day' },
    },
  },
];

export async function saveShopInsights(deps: Pick<Deps, 'db' | 'clock'>, project: Project): Promise<void> {
  const goals = createGoals(deps);
  const saved = createSavedInsights(deps, {
    goals,
    segments: createSegments(deps, goals),
    query: () => Promise.reject(new AppError('internal', 'Sample insights are saved without a result.')),
  });
  const asker = {
    project: { ...project, seesPersons: true },
    reader: { id: SAMPLE_ACCOUNT as UserId },
    role: 'owner' as const,
  };
  for (const { name, description, tags, kind, query, display = {} } of shopInsights) {
    const definition = { kind, version: QUERY_VERSION, query, display };
    await saved.create(asker, { name, description, tags, definition });
  }
}
