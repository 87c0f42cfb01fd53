/** Paths. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { countedPer, eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';
import { MAX_POINT_TEXT } from '../../query/values.ts';
import { funnelInput, funnelPoint } from '../funnel/contract.ts';

/** A name, in which `*` stands for anything. */
const stepPattern = lineOf(1000);

/** A funnel of the same range, filters and people, and a number of it: who reached a step, or dropped off before it. */
const afterFunnel = z.strictObject({
  funnel: z.omit(funnelInput, {
    range: true,
    filters: true,
    people: true,
    include: true,
    compare: true,
    interval: true,
  }),
  point: z.pick(funnelPoint, { step: true, dropped: true, value: true }),
});

export const pathsInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  per: countedPer,
  /** Only what the people of a funnel's number did from their last step in it on, up to a pause. Absent: all paths. */
  after: z.optional(afterFunnel),
  /** Pages and screens, custom events, or both. */
  stepType: z._default(z.enum(['pages', 'events', 'all']), 'pages'),
  /** So many steps of each path. */
  length: z._default(z.int().check(z.minimum(3), z.maximum(20)), 5),
  /** A name, or a pattern: then all steps that match it are one. */
  startPoint: z.optional(lineOf(1000)),
  endPoint: z.optional(lineOf(1000)),
  /** Steps that match a pattern are merged into one step with the pattern's name. */
  groups: z._default(z.array(stepPattern).check(z.maxLength(100)), []),
  /** Ignored steps. */
  exclude: z._default(z.array(stepPattern).check(z.maxLength(100)), []),
  /** A pause of this length ends a path. */
  sessionTimeoutMinutes: z._default(z.int().check(z.minimum(1), z.maximum(1440)), 30),
  /** Transitions that are listed, the commonest first, and which of them. */
  limit: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 50),
  minCount: z._default(z.int().check(z.minimum(1)), 1),
  maxCount: z.optional(z.int().check(z.minimum(1))),
});
export type PathsInput = z.infer<typeof pathsInput>;

const pointStep = z.nullable(z.string().check(z.maxLength(MAX_POINT_TEXT)));
const pointPlace = z.int().check(z.minimum(1), z.maximum(20));

/** The people (or groups) of a transition (`step`: position of its source), or of a step at a position; null: skipped steps. */
export const pathsPoint = z.union([
  z.strictObject({ step: pointPlace, from: pointStep, to: pointStep }),
  z.strictObject({ step: pointPlace, node: pointStep }),
]);
export type PathsPoint = z.infer<typeof pathsPoint>;

export interface PathsResult {
  timeZone: string;
  range: ResolvedRange;
  /** How many paths there are. */
  paths: number;
  /** Of `after`: how many people (or visits, or groups) the funnel has there, also those without a path. Null without it. */
  starts: number | null;
  /**
   * `count`: transitions; `people`: the different people (or groups) who made them. `step`: of the first of both, from 1 on. Null: steps in
   * the middle that are not listed.
   */
  edges: {
    step: number;
    from: string | null;
    to: string | null;
    count: number;
    people: number;
    meanSeconds: number;
  }[];
  /** Edges beyond `limit`, and their transitions. */
  other: { edges: number; count: number };
}
