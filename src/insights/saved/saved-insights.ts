/** Operations on saved insights, with access control. */
import type { Reader } from '#src/accounts/contract.ts';
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { Role } from '#src/projects/contract.ts';
import type { QueryInput } from '../define.ts';
import type { Goals } from '../goals/goals.ts';
import type { AnyKind } from '../kinds/all-kinds.ts';
import type { ResultSummary } from '../query/contract.ts';
import type { QueryScope } from '../query/scope.ts';
import type { Segments } from '../segments/segments.ts';
import type {
  GroupInsight,
  GroupRef,
  InsightChange,
  InsightInput,
  InsightList,
  InsightRevision,
  InsightsQuery,
  InsightTemplate,
  SavedInsight,
} from './contract.ts';

/** The reader with project and role. */
export interface InsightReader {
  project: QueryScope;
  reader: Pick<Reader, 'id'>;
  role: Role;
}

export interface InsightResult {
  insight: SavedInsight;
  kind: AnyKind;
  /** The query as it ran: with the filters of its segment. */
  input: QueryInput;
  result: unknown;
}

/**
 * Insights whose query reveals personal data are hidden without access to persons. All methods of one insight throw AppError
 * `not_found` for a missing or hidden one.
 */
export interface SavedInsights {
  list(asker: InsightReader, asked: InsightsQuery): Promise<InsightList>;
  get(asker: InsightReader, id: number): Promise<SavedInsight>;
  /** Insights for the page of a group: those about it first. @throws AppError `forbidden` to readers who may not see persons */
  ofGroup(asker: InsightReader, group: GroupRef): Promise<GroupInsight[]>;
  /** Computes it. @throws AppError as queries of its kind */
  result(asker: InsightReader, id: number): Promise<InsightResult>;
  /** @throws AppError `invalid` for a query that its kind refuses, `not_found` for a goal or segment that does not exist, `conflict` when there are too many */
  create(asker: InsightReader, input: InsightInput, noted?: NoteChange): Promise<SavedInsight>;
  /** @throws AppError as `create`; `conflict` with field `revision` when someone else has changed it */
  update(asker: InsightReader, id: number, change: InsightChange, noted?: NoteChange): Promise<SavedInsight>;
  /** A copy that belongs to who asks. @throws AppError as `create` */
  duplicate(asker: InsightReader, id: number, name: string, noted?: NoteChange): Promise<SavedInsight>;
  archive(asker: InsightReader, id: number, noted?: NoteChange): Promise<SavedInsight>;
  /** Takes it out of the archive. @throws AppError `not_found` for a goal or segment that no longer exists */
  restore(asker: InsightReader, id: number, noted?: NoteChange): Promise<SavedInsight>;
  /** Deletes an archived one. @throws AppError `forbidden` to all but its owner and admins, `conflict` for one in use */
  remove(asker: InsightReader, id: number, noted?: NoteChange): Promise<void>;
  /** The newest change first. */
  history(asker: InsightReader, id: number): Promise<InsightRevision[]>;
  /** The insight as it was from a revision on. */
  revision(asker: InsightReader, id: number, revision: number): Promise<SavedInsight>;
  /** Makes an old revision the newest. @throws AppError as `create` */
  revert(asker: InsightReader, id: number, revision: number, noted?: NoteChange): Promise<SavedInsight>;
  favorite(asker: InsightReader, id: number, favorite: boolean): Promise<void>;
  /** Draws its preview again. @throws AppError as `result` */
  preview(asker: InsightReader, id: number): Promise<ResultSummary>;
  /** Insights to start from, for which the project has the events. */
  templates(asker: InsightReader): Promise<InsightTemplate[]>;
  /** Notes that it was opened, and updates its preview with a current result. */
  viewed(asker: InsightReader, id: number): Promise<void>;
}

export interface SavedParts {
  goals: Pick<Goals, 'use' | 'list'>;
  segments: Pick<Segments, 'list' | 'within'>;
  query(kind: AnyKind, scope: QueryScope, input: QueryInput): Promise<unknown>;
}
