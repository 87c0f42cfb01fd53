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

export const dashboardTemplates: Record<DashboardTemplate, readonly TemplateTile[]> = {
  blank: [],
  traffic: [
    ...[number('visitors'), number('visits'), number('views'), number('bounceRate')],
    ...[table('channel'), table('source'), table('page')],
    ...[table('country'), table('deviceType'), table('entryPage')],
  ],
  conversion: [
    ...[number('visitors'), number('visits')],
    { kind: 'goals', width: 6, height: 1 },
    ...[insight('ecommerceFunnel', 8, 3), insight('revenue', 4, 3)],
    ...[
      insight('ordersByWeek', 6),
      insight('buyerRetention', 6),
      table('channel'),
      table('source'),
      table('utmCampaign'),
    ],
  ],
  growth: [
    ...[number('visitors'), number('visits'), number('viewsPerVisit'), number('visitDuration')],
    ...[
      insight('activePeople', 6),
      insight('growth', 6),
      insight('weeklyRetention', 12),
      table('channel', 6),
      table('source', 6),
    ],
  ],
};
