/** The reader's scope for SQL. */
import type { InsightScope } from './queries.ts';
import type { InsightReader } from './saved-insights.ts';

export function scopeOf({ project, reader }: InsightReader): InsightScope {
  return { project: project.id, account: reader.id };
}
