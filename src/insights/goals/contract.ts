/** Goals: definitions and results. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Filters, filters } from '#src/columns/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { filtersRevealPersons, type MetricValue, type ResolvedRange, revealsPersons } from '../query/contract.ts';
import { MAX_GOAL_MATCHES } from './values.ts';

const eventName = lineOf(400);
/** `*` stands for anything, nothing included. With `://` it is about the whole address, else about the path. */
const pattern = lineOf(1000);

/** Conditions on the event itself: what a goal counts must not change with what is known of a person later. */
const ofEvent = z._default(
  filters.check(z.refine((value) => isOfEvents(value), 'Goals can only use event properties.')),
  { match: 'all', of: [] },
);

function isOfEvents({ of }: Filters): boolean {
  return of.every((each) => ('of' in each ? isOfEvents({ match: 'all', of: each.of }) : each.about === 'event'));
}

/** One way in which an action happens. */
export const matcher = z.union([
  z.object({ of: z.literal('event'), event: eventName, page: z.nullable(pattern), filters: ofEvent }),
  z.object({ of: z.literal('page'), page: pattern, filters: ofEvent }),
  z
    .object({
      of: z.literal('element'),
      /** Text of any element of the chain; `*` matches anything. */
      text: z.nullable(lineOf(400)),
      /** URL of the link; `*` matches anything. */
      href: z.nullable(pattern),
      /** CSS: tags, classes, ids, attributes, descendants and children. */
      selector: z.nullable(lineOf(400)),
      page: z.nullable(pattern),
      filters: ofEvent,
    })
    .check(
      z.refine(
        ({ text, href, selector }) => text !== null || href !== null || selector !== null,
        'Specify the element by text, link or selector.',
      ),
    ),
]);
export type Matcher = z.infer<typeof matcher>;

/** Suggestions of the goal form. */
export interface KnownForGoals {
  /** Names, those seen last first. */
  events: string[];
  /** Texts and links of clicked elements, most recent first. */
  texts: string[];
  hrefs: string[];
}

export const goalKinds = ['event', 'page', 'action'] as const;
export type GoalKind = (typeof goalKinds)[number];

/** The rule of a goal. */
export const goalRule = z.union([
  z.object({ kind: z.literal('event'), event: eventName, filters: ofEvent }),
  z.object({ kind: z.literal('page'), pages: z.array(pattern).check(z.minLength(1), z.maxLength(MAX_GOAL_MATCHES)) }),
  z.object({ kind: z.literal('action'), any: z.array(matcher).check(z.minLength(1), z.maxLength(MAX_GOAL_MATCHES)) }),
]);
export type GoalRule = z.infer<typeof goalRule>;

/** Property of the revenue. */
export const goalAmount = z.object({
  property: lineOf(400),
  currencyProperty: z.nullable(lineOf(400)),
  /** Currency of events without one. */
  currency: z.nullable(z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{3}$/, 'Three letters, as BRL.'))),
});
export type GoalAmount = z.infer<typeof goalAmount>;

/**
 * Stored definition of a goal; version 2 has the current operator names. A version never changes
 * its meaning.
 */
export const goalDefinition = z.object({
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  rule: goalRule,
  amount: z.nullable(goalAmount),
});
export type GoalDefinition = z.infer<typeof goalDefinition>;

/** True when the rule or the amount depends on personal data, so that counts could reveal it. */
export function goalRevealsPersons({ rule, amount }: Pick<GoalDefinition, 'rule' | 'amount'>): boolean {
  const summedUp = amount === null ? [] : [amount.property, amount.currencyProperty];
  if (summedUp.some((name) => name !== null && revealsPersons({ about: 'event', name }))) return true;
  if (rule.kind === 'page') return false;
  return (rule.kind === 'event' ? [rule] : rule.any).some(({ filters }) => filtersRevealPersons(filters));
}

export const MAX_GOALS = 100;

/** A goal as a form gives it. */
export const goalInput = z.object({ name: lineOf(100), rule: goalRule, amount: z.nullable(goalAmount) });
export type GoalInput = z.infer<typeof goalInput>;

export const goalRef = z.object({ goal: rowId });
export const goalChange = z.extend(goalInput, { goal: rowId });
export const goalDraft = z.object({ rule: goalRule, amount: z.nullable(goalAmount) });
export type GoalDraft = z.infer<typeof goalDraft>;

export interface Goal {
  id: number;
  name: string;
  rule: GoalRule;
  amount: GoalAmount | null;
  /** ms. */
  createdAt: number;
  changedAt: number;
}

/** Money of one currency, in its unit; '' when events do not say which, `unknown` when what they say cannot be read. */
export interface Revenue {
  currency: string;
  /** Its sum. The `count` is of the events that say an amount. */
  sum: MetricValue;
  count: number;
}

/** Figures of a goal in a range. */
export interface GoalFigure {
  /** Events. */
  conversions: MetricValue;
  /** Persons who reached it. */
  people: MetricValue;
  /** Visits in which it was reached; null when the rate is of visitors. */
  visits: MetricValue | null;
  /** Visitors who reached it, of all visitors; or visits in which it was reached, of all visits. */
  conversionRate: MetricValue;
  /** The commonest first. */
  revenue: Revenue[];
  /** Conversions of this range without an amount that can be read; null for a goal without amounts. */
  withoutAmount: WithoutAmount | null;
}

export interface WithoutAmount {
  count: number;
  /** Some of what they say instead, the commonest first; null: nothing. */
  samples: { text: string | null; count: number }[];
}

/** When goals were last reached, within the last 90 days: the day (its beginning, ms); null: not in them. */
export type LastConversions = { id: number; day: number | null }[];

/** Uses of a goal. A segment without a name is another member's private one. */
export interface GoalUses {
  segments: { id: number; name: string | null }[];
  insights: { id: number; name: string }[];
}

/** Preview of an unsaved goal over the last 28 days. */
export interface GoalPreview extends GoalFigure {
  range: ResolvedRange;
  visitors: number;
  /** True when viewers would not see it. */
  revealsPersons: boolean;
}
