/** The explorer's question as input of the calls. Pure. */
import type { ExploredInput, PageInput } from '#src/explorer/contract.ts';
import { type Explored, propertyOf } from './explorer-address.ts';

export function exploredInput(project: string, { question: { range, filters }, names }: Explored): ExploredInput {
  return { project, range, names, ...(filters && { filters }) };
}

export function pageInput(project: string, explored: Explored): PageInput {
  const columns = explored.columns.map(propertyOf).filter((column) => column !== null);
  const { after } = explored;
  return { ...exploredInput(project, explored), columns, limit: 50, ...(after && { after }) };
}
