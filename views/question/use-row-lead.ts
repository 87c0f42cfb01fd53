/** Links of table rows: to their filter, or to their events when they are no filter. */
import { isAtLeast } from '#src/accounts/values.ts';
import type { BreakdownInput, InProject } from '#src/insights/contract.ts';
import { conditionsOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import { useProjects } from '#views/frame/queries.ts';
import type { BarRow } from '#views/kit/BarTable.tsx';
import { exploredAddress, usualColumns } from './explorer-address.ts';
import { hasConditions, withAdded, withConditions } from './filters/change.ts';
import { addressOf, type Question, readQuestion } from './question.ts';

type Lead = Pick<BarRow, 'filter' | 'href'>;

export function useRowLead(
  { project, dimension }: Pick<InProject<BreakdownInput>, 'project' | 'dimension'>,
  question: Question,
  path: string,
): (value: string, host?: string) => Lead {
  const role = useProjects()?.current?.role;
  return (value, host) => {
    const filter = filterOf({ dimension }, question, path, value, host);
    if (filter !== undefined) return { filter };
    // Viewers see numbers, not events.
    if (role === undefined || !isAtLeast(role, 'member')) return {};
    if (dimension === 'event') return { href: eventsAddress(project, question, [value]) };
    // One more of several that are joined by OR would not be one of their clicks.
    if (question.filters?.match === 'any') return {};
    const asked = withAdded(question, {
      about: 'event',
      name: '$external_click_url',
      operator: 'equals',
      values: [value],
    });
    return { href: eventsAddress(project, asked, ['$autocapture']) };
  };
}

/** The row's filter, or without it when it is set; undefined for rows that are none. */
export function filterOf(
  { dimension }: Pick<BreakdownInput, 'dimension'>,
  question: Question,
  path: string,
  value: string,
  host?: string,
): BarRow['filter'] {
  const conditions = conditionsOf(dimension, value, host);
  if (conditions === null) return undefined;
  return { href: addressOf(path, withConditions(question, conditions)), isOn: hasConditions(question, conditions) };
}

/** Events of these names, in the same range, by the same filters and within the same segment. */
export function eventsAddress(project: string, { range, filters, segment }: Question, names: string[]): string {
  const question = { ...readQuestion(new URLSearchParams()), range, filters, segment };
  return exploredAddress(project, {
    question,
    names,
    columns: [...usualColumns],
    after: null,
    before: null,
    open: null,
  });
}
