/** An insight as its screen holds it: which kind it is, what is asked, and how the answer is drawn. */
import type { FunnelInput } from '#src/insights/kinds/funnel/contract.ts';
import { funnelInput } from '#src/insights/kinds/funnel/contract.ts';
import type { LifecycleInput } from '#src/insights/kinds/lifecycle/contract.ts';
import { lifecycleInput } from '#src/insights/kinds/lifecycle/contract.ts';
import type { PathsInput } from '#src/insights/kinds/paths/contract.ts';
import { pathsInput } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionInput } from '#src/insights/kinds/retention/contract.ts';
import { retentionInput } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessInput } from '#src/insights/kinds/stickiness/contract.ts';
import { stickinessInput } from '#src/insights/kinds/stickiness/contract.ts';
import type { TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import { trendsInput } from '#src/insights/kinds/trends/contract.ts';
import type { EventsQuery, PeopleQuery } from '#src/insights/query/people/contract.ts';
import type { Question } from '#views/question/question.ts';
import type { Display } from './display.ts';

export interface Inputs {
  trends: TrendsInput;
  funnel: FunnelInput;
  retention: RetentionInput;
  paths: PathsInput;
  lifecycle: LifecycleInput;
  stickiness: StickinessInput;
}
export type KindName = keyof Inputs;
export const kindNames = [
  'trends',
  'funnel',
  'retention',
  'paths',
  'lifecycle',
  'stickiness',
] as const satisfies readonly KindName[];

/** Keys that all inputs share. In URLs they are written as on Overview. */
export const sharedKeys = ['range', 'compare', 'interval', 'filters', 'people', 'include'] as const;
type SharedKey = (typeof sharedKeys)[number];

/** Keys that only inputs of this kind have. */
export type Own<Kind extends KindName> = Omit<Inputs[Kind], SharedKey>;

export type InsightOf<Kind extends KindName> = {
  kind: Kind;
  /** Range, comparison, interval, filters, people and segment. */
  question: Question;
  own: Own<Kind>;
  display: Display;
  /** Persons whose events count, as forms and addresses of screens cannot say them. */
  people?: PeopleQuery;
  /** The address or the JSON that it was read from asks for something that cannot be. */
  isBroken?: boolean;
};
export type Insight = { [Kind in KindName]: InsightOf<Kind> }[KindName];

export const schemas = {
  trends: trendsInput,
  funnel: funnelInput,
  retention: retentionInput,
  paths: pathsInput,
  lifecycle: lifecycleInput,
  stickiness: stickinessInput,
};

const anyEvent: EventsQuery = { event: null };
const pageView: EventsQuery = { event: '$pageview' };

/** Keys without a default, with what a new insight has there. */
const firsts = {
  trends: { series: [{ event: pageView, measure: 'persons' }] },
  funnel: { steps: [pageView, anyEvent] },
  retention: { startEvent: anyEvent, returningEvent: anyEvent },
  paths: {},
  lifecycle: { event: anyEvent },
  stickiness: { event: anyEvent },
} as const;

/** Keys that stand in every address: without them nothing is asked. */
export function neededKeys(kind: KindName): readonly string[] {
  return Object.keys(firsts[kind]);
}

/** Whether inputs of the kind have this key. */
export function hasKey(kind: KindName, key: SharedKey): boolean {
  return key in schemas[kind].def.shape;
}

/** Keys that only this kind has, of a parsed input. */
export function ownOf<Kind extends KindName>(input: Inputs[Kind]): Own<Kind> {
  const own = Object.entries(input).filter(([key]) => !sharedKeys.some((shared) => shared === key));
  return Object.fromEntries(own) as unknown as Own<Kind>;
}

/** Default query of a new insight of the kind. @param events that another kind asked about before */
export function firstOwn<Kind extends KindName>(kind: Kind, events: readonly EventsQuery[] = []): Own<Kind> {
  const given = { range: 'last_28_days', ...firsts[kind], ...carried(kind, events) };
  return ownOf(schemas[kind].parse(given) as Inputs[Kind]);
}

/** The same events, as the other kind asks about them. */
function carried(kind: KindName, events: readonly EventsQuery[]): object {
  const [first, second = first] = events;
  if (first === undefined || kind === 'paths') return {};
  if (kind === 'trends') return { series: events.map((event) => ({ event, measure: 'persons' })) };
  if (kind === 'funnel') return { steps: events.length > 1 ? events : [first, anyEvent] };
  if (kind === 'retention') return { startEvent: first, returningEvent: second };
  return { event: first };
}

/** The events that an insight asks about, in its order. */
export function eventsOf(insight: Insight): EventsQuery[] {
  switch (insight.kind) {
    case 'trends':
      return insight.own.series.map(({ event }) => event);
    case 'funnel':
      return insight.own.steps;
    case 'retention':
      return [insight.own.startEvent, insight.own.returningEvent];
    case 'paths':
      return [];
    default:
      return [insight.own.event];
  }
}

/** The input of the insight's call, without the project. */
export function inputOf(insight: Insight): Inputs[KindName] & { segment?: number } {
  const { kind, question, own } = insight;
  const { range, compare, interval, filters, include, segment } = question;
  const people = insight.people ?? question.people;
  return {
    range,
    ...(hasKey(kind, 'compare') && { compare }),
    ...(hasKey(kind, 'interval') && interval !== null && (interval !== 'minute' || kind === 'trends') && { interval }),
    ...(filters && { filters }),
    ...(people && { people }),
    ...(include.length > 0 && { include: [...include] }),
    ...(segment !== null && { segment }),
    ...own,
  } as Inputs[KindName];
}
