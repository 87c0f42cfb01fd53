/** The explorer's question as input of the calls. Pure. */
import type { ExploredInput, ExportFormat, ExportInput, PageInput } from '#src/explorer/contract.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { type ExplorerState, propertyOf } from '#views/question/explorer-address.ts';

export function exploredInput(project: string, { question, names }: ExplorerState): ExploredInput {
  const { range, filters, people, segment } = question;
  return {
    project,
    range,
    names,
    ...(filters && { filters }),
    ...(people && { people }),
    ...(segment !== null && { segment }),
  };
}

export function pageInput(project: string, explored: ExplorerState): PageInput {
  const columns = explored.columns.map(propertyOf).filter((column) => column !== null);
  const { after, before } = explored;
  const place = after ? { after } : before && { before };
  return { ...exploredInput(project, explored), columns, limit: 50, ...place };
}

export function exportInput(project: string, explored: ExplorerState, format: ExportFormat): ExportInput {
  return { ...exploredInput(project, explored), format, columns: format === 'csv' ? explored.columns : [] };
}

/** Where the file is fetched. */
export function exportHref(project: string, explored: ExplorerState, format: ExportFormat): string {
  const { range, filters, people, segment, names, columns } = exportInput(project, explored, format);
  const search = new URLSearchParams({ format, ...(typeof range === 'string' ? { range } : range) });
  for (const name of names) search.append('name', name);
  for (const column of columns) search.append('column', column);
  if (filters) search.set('filters', JSON.stringify(filters));
  if (people) search.set('people', JSON.stringify(people));
  if (segment !== undefined) search.set('segment', String(segment));
  return `${eventsOf(project)}/export?${search}`;
}
