/** Notes on a project's charts. Owner of `annotations`. */
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { parseDate, zoneOf } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ResolvedRange } from '../contract.ts';
import type { QueryProject } from '../query/scope.ts';
import { type Annotation, type AnnotationInput, MAX_ANNOTATIONS, MAX_SHOWN } from './contract.ts';
import * as queries from './queries.ts';

export interface Annotations {
  /** Annotations of a range, or of all time, newest first. */
  list(project: QueryProject, range: ResolvedRange | null): Promise<Annotation[]>;
  /** @throws AppError `not_found` */
  get(project: QueryProject, id: number): Promise<Annotation>;
  /** @throws AppError `invalid` for a date that is none, `conflict` when there are too many */
  create(project: QueryProject, input: AnnotationInput): Promise<Annotation>;
  /** @throws AppError `invalid`, `not_found` */
  change(project: QueryProject, id: number, input: AnnotationInput): Promise<Annotation>;
  /** Gives what it was. @throws AppError `not_found` */
  remove(project: QueryProject, id: number): Promise<Annotation>;
}

export function createAnnotations({ db, clock }: Pick<Deps, 'db' | 'clock'>): Annotations {
  return {
    async list(project, range) {
      const within = range && { from: range.from, until: range.to, fromDay: range.fromDate, toDay: range.toDate };
      const rows = await queries.annotationsOf(db, project.id, within, MAX_SHOWN);
      return rows.map((row) => asAnnotation(row, project));
    },
    async get(project, id) {
      return found(await queries.annotationOf(db, project.id, id), project);
    },
    async create(project, input) {
      const made = await queries.insertAnnotation(db, project.id, asStored(input), clock.now(), MAX_ANNOTATIONS);
      if (made === null) throw new AppError('conflict', `Limit of ${MAX_ANNOTATIONS} annotations per project reached.`);
      return asAnnotation(made, project);
    },
    async change(project, id, input) {
      return found(await queries.updateAnnotation(db, project.id, id, asStored(input)), project);
    },
    async remove(project, id) {
      return found(await queries.deleteAnnotation(db, project.id, id), project);
    },
  };
}

function asStored({ when, text, url }: AnnotationInput): queries.NewAnnotation {
  if ('at' in when) return { day: null, at: when.at, text, url };
  if (parseDate(when.day) === null) throw invalid('day', `Invalid date: ${when.day}.`);
  return { day: when.day, at: null, text, url };
}

function found(row: queries.AnnotationRow | null, project: QueryProject): Annotation {
  if (row === null) throw notFound('annotation');
  return asAnnotation(row, project);
}

function asAnnotation({ id, day, at, text, url }: queries.AnnotationRow, { timeZone }: QueryProject): Annotation {
  const begin = day === null ? at : zoneOf(timeZone).startOfDay(parseDate(day) as number);
  return { id, day, at: begin as number, text, url };
}
