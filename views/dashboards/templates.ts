/** Templates of dashboards. Pure. */
import type { Tile } from '#src/dashboards/contract.ts';
import type { InsightTemplate } from '#src/insights/saved/contract.ts';
import type { DashboardTemplate } from '#views/words/dashboard-edit.ts';

type Sized<Kind> = Kind extends Tile ? Omit<Kind, 'id'> : never;

/** A tile, or an insight that is created from a template of the project. */
export type TemplateTile =
  | Sized<Exclude<Tile, { kind: 'insight' }>>
  | { kind: 'template'; template: InsightTemplate['id']; width: Tile['width']; height: Tile['height'] };

const number = (metric: Extract<Tile, { kind: 'metric' }>['metric']): TemplateTile => ({
  ...{ kind: 'metric', metric, width: 3, height: 1 },
});
const table = (
  dimension: Extract<Tile, { kind: 'breakdown' }>['dimension'],
  width: Tile['width'] = 4,
): TemplateTile => ({
  ...{ kind: 'breakdown', dimension, width, height: 2 },
});
const insight = (template: InsightTemplate['id'], width: Tile['width'], height: Tile['height'] = 2): TemplateTile => ({
  ...{ kind: 'template', template, width, height },
});

const numbers = [number('visitors'), number('visits'), number('views'), number('bounceRate')];

/** Created to be shown on a wall at once. */
export const WALL_TEMPLATE = 'wall' satisfies DashboardTemplate;

export const dashboardTemplates: Record<DashboardTemplate, readonly TemplateTile[]> = {
  blank: [],
  traffic: [
    ...numbers,
    ...[table('channel'), table('source'), table('page')],
    ...[table('country'), table('deviceType'), table('entryPage')],
  ],
  activation: [
    ...[number('visitors'), number('visits')],
    { kind: 'goals', width: 6, height: 1 },
    ...[insight('activation', 6, 3), insight('featureAdoption', 6, 3)],
    ...[table('channel'), table('source'), table('entryPage')],
  ],
  retention: [
    ...[insight('weeklyRetention', 12, 3), insight('activePeople', 6), insight('growth', 6)],
    ...[insight('powerUsers', 6), insight('buyerRetention', 6)],
  ],
  ecommerce: [
    ...[number('visitors'), number('visits'), insight('averageOrder', 3, 1), insight('revenue', 3, 1)],
    ...[insight('ecommerceFunnel', 8, 3), { kind: 'goals' as const, width: 4 as const, height: 3 as const }],
    ...[insight('ordersByWeek', 6), insight('buyerRetention', 6)],
    ...[table('channel'), table('source'), table('utmCampaign')],
  ],
  saas: [
    ...numbers,
    ...[insight('activePeople', 6), insight('growth', 6)],
    ...[insight('activation', 6), insight('featureAdoption', 6)],
    ...[insight('weeklyRetention', 12), table('channel', 6), table('source', 6)],
  ],
  wall: (['visitors', 'visits', 'views'] as const).map((metric) => ({ ...number(metric), width: 4 }) as TemplateTile),
};

/** The template for what a project sends: orders, sign-ups, or pages alone. */
export function suggestedTemplate(insights: readonly Pick<InsightTemplate, 'id'>[]): DashboardTemplate {
  const has = (id: InsightTemplate['id']) => insights.some((each) => each.id === id);
  if (has('ordersByWeek')) return 'ecommerce';
  return has('activation') ? 'saas' : 'traffic';
}
