/** Questions within a segment, as procedures get them. */
import type { Filters } from '#src/columns/contract.ts';
import { checkFilters } from '../person-filters.ts';
import { askerOf } from './router.ts';
import type { Asker, Segments } from './segments.ts';

interface Ctx {
  insights: { segments: Segments };
  project: { id: Asker['project'] };
  reader: Asker['reader'];
  role: Asker['role'];
}

/** The question with the filters of its segment. @throws AppError `forbidden` for viewers who would learn of persons */
export async function within<Input extends { filters?: Filters | undefined; segment?: number | undefined }>(
  ctx: Ctx,
  { segment, filters: asked, ...question }: Input,
): Promise<Omit<Input, 'segment' | 'filters'> & { filters?: Filters }> {
  const filters = await ctx.insights.segments.within(askerOf(ctx), segment, asked);
  checkFilters(ctx.role, filters);
  return { ...question, ...(filters && { filters }) };
}
