/** Opens each saved insight of the sample shop once, so that lists show its preview. */
import { createColumns } from '#src/columns/columns.ts';
import { createInsights } from '#src/insights/insights.ts';
import { insightsQuery } from '#src/insights/saved/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { sampleAsker } from './insights.ts';

export async function drawPreviews(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  project: Project,
): Promise<void> {
  // Few events: they are counted here, without threads.
  const columns = createColumns(deps, { threads: 0 });
  try {
    const { saved } = createInsights(deps, { columns, changes: { version: () => null } });
    const asker = sampleAsker(project);
    const { items } = await saved.list(asker, insightsQuery.parse({}));
    for (const { id, preview } of items) {
      if (preview !== null) continue;
      // A picture that is missing is drawn when the insight is opened.
      await saved.preview(asker, id).catch((error: unknown) => deps.log.warn({ err: error, id }, 'no preview'));
    }
  } finally {
    await columns.stop();
  }
}
