/** Questions within a segment, as procedures get them. */
import type { Filters } from '#src/columns/contract.ts';
import type { PeopleQuery } from '../query/people/contract.ts';
import { checkFilters } from '../query/person-filters.ts';
import { askerOf } from './router.ts';
import type { SegmentReader, SegmentScope, Segments } from './segments.ts';

interface Ctx {
  insights: { segments: Segments };
  project: { id: SegmentReader['project'] };
  reader: SegmentReader['reader'];
  role: SegmentReader['role'];
}

/** The question with the filters of its segment. @throws AppError `forbidden` for viewers who would learn of persons */
export async function within<Input extends SegmentScope & { segment?: number | undefined }>(
  ctx: Ctx,
  { segment, filters: asked, people: set, ...question }: Input,
): Promise<Omit<Input, 'segment' | 'filters' | 'people'> & { filters?: Filters; people?: PeopleQuery }> {
  const which = await ctx.insights.segments.within(askerOf(ctx), segment, { filters: asked, people: set });
  checkFilters(ctx.role, which);
  const { filters, people } = which;
  return { ...question, ...(filters && { filters }), ...(people && { people }) };
}
