/** Web vitals, explained as a whole: one vital over all and by page. */

import { defineNumbers } from '../../query/explained-numbers.ts';
import { pageWithHost } from '../../query/hosts.ts';
import { vitalSql } from './explain.ts';
import { vitalProperty } from './values.ts';

const names = ['$web_vitals'];

export const vitalsNumbers = defineNumbers(['vitals'], (of, { vital, percentile }) => ({
  of,
  sql: (rows, byHost) => vitalSql(rows, { vital, percentile }, byHost),
  counts: { names },
  events: [...names],
  ofVisits: false,
  async pages(columns, question) {
    const figures = [{ property: vitalProperty(vital), quantile: null, limits: [] }];
    const [[found] = []] = await columns.values({ ...question, views: [] }, { names, by: pageWithHost, figures });
    return found?.rows ?? [];
  },
  /** PostHog shows the 90th percentile. */
  async elsewhere({ columns, question }) {
    const figures = [{ property: vitalProperty(vital), quantile: 0.9, limits: [], rows: false }];
    const by = { property: '$pathname' };
    const [[found] = []] = await columns.values({ ...question, views: [] }, { names, by, figures });
    return [{ product: 'posthog', value: found?.total.quantile ?? null }];
  },
}));
