/** What the page of a group asks for. */
import { GROUP_KEY, type GroupSubject } from '#src/columns/values.ts';

/** Of events and people that are shown. */
export const RANGE = 'last_30_days';
const MAX_EVENTS = 10;

export interface GroupRef {
  project: string;
  type: number;
  key: string;
}

export interface GroupPartProps {
  asked: GroupRef;
  subject: GroupSubject;
}

export function filtersOf({ key }: GroupRef, about: GroupSubject) {
  return {
    match: 'all' as const,
    of: [{ about, name: GROUP_KEY, operator: 'equals' as const, values: [key] }],
  };
}

export function trendOf(asked: GroupRef, subject: GroupSubject, measure: 'events' | 'persons') {
  return {
    range: RANGE,
    filters: filtersOf(asked, subject),
    series: [{ event: { event: null }, measure }],
  } as const;
}

export function activityQuery(asked: GroupRef, subject: GroupSubject) {
  const { range, filters, series } = trendOf(asked, subject, 'events');
  return { project: asked.project, range, filters, series: [...series], interval: 'day' as const };
}

export function peopleQuery(asked: GroupRef, subject: GroupSubject) {
  const { range, filters, series } = trendOf(asked, subject, 'persons');
  return {
    project: asked.project,
    query: { range, filters, series: [...series] },
    point: { series: 0 },
    sort: 'events' as const,
    page: 1,
  };
}

export function insightsQuery({ project, type, key }: GroupRef) {
  return { project, type, key };
}

export function eventsQuery(asked: GroupRef, subject: GroupSubject) {
  return { project: asked.project, range: RANGE, filters: filtersOf(asked, subject), limit: MAX_EVENTS } as const;
}
