/** What an alert watches and when it fires, in words: on screens, in mails and in messages to chats. */
import {
  type AlertInterval,
  type AlertUnit,
  type DescribedCondition,
  type DescribedSubject,
  type IngestionNumber,
  unitOf,
} from '#src/alerts/values.ts';
import type { IssueSignal } from '#src/errors/values.ts';
import type { Words } from './en.ts';
import { type Format, formatOf, missing } from './format.ts';
import type { Part } from './part.ts';

const en = {
  conversionsOf: (goal: string) => `Conversions: ${goal}`,
  conversionRateOf: (goal: string) => `Conversion rate: ${goal}`,
  eventsOf: (event: string) => `Events: ${event}`,
  allEvents: 'All events',
  ingestion: { dropped: 'Dropped events', droppedShare: 'Share of dropped events' } as Record<IngestionNumber, string>,
  filtered: 'filtered',
  deletedGoal: 'deleted goal',
  deletedInsight: 'Deleted insight',
  issuesOf: (signals: string) => `Errors: ${signals}`,
  signals: { new: 'new issues', regressed: 'regressed issues', spike: 'spikes' } as Record<IssueSignal, string>,
  atOnce: 'at once',
  by: { hour: 'by hour', day: 'by day', week: 'by week' } as Record<AlertInterval, string>,
  above: (value: string) => `above ${value}`,
  below: (value: string) => `below ${value}`,
  change: {
    any: (share: string) => `at least ${share} from the usual`,
    up: (share: string) => `at least ${share} above the usual`,
    down: (share: string) => `at least ${share} below the usual`,
  },
  silence: {
    hour: (n: number) => (n === 1 ? 'nothing for an hour' : `nothing for ${n} hours`),
    day: (n: number) => (n === 1 ? 'nothing for a day' : `nothing for ${n} days`),
    week: (n: number) => (n === 1 ? 'nothing for a week' : `nothing for ${n} weeks`),
  } as Record<AlertInterval, (n: number) => string>,
};
export type AlertRules = typeof en;

const ptBR: AlertRules = {
  conversionsOf: (goal) => `Conversões: ${goal}`,
  conversionRateOf: (goal) => `Taxa de conversão: ${goal}`,
  eventsOf: (event) => `Eventos: ${event}`,
  allEvents: 'Todos os eventos',
  ingestion: { dropped: 'Eventos descartados', droppedShare: 'Parcela de eventos descartados' },
  filtered: 'com filtros',
  deletedGoal: 'meta excluída',
  deletedInsight: 'Insight excluído',
  issuesOf: (signals) => `Erros: ${signals}`,
  signals: { new: 'problemas novos', regressed: 'problemas reincidentes', spike: 'picos' },
  atOnce: 'na hora',
  by: { hour: 'por hora', day: 'por dia', week: 'por semana' },
  above: (value) => `acima de ${value}`,
  below: (value) => `abaixo de ${value}`,
  change: {
    any: (share) => `no mínimo ${share} de diferença do usual`,
    up: (share) => `no mínimo ${share} acima do usual`,
    down: (share) => `no mínimo ${share} abaixo do usual`,
  },
  silence: {
    hour: (n) => (n === 1 ? 'nada por uma hora' : `nada por ${n} horas`),
    day: (n) => (n === 1 ? 'nada por um dia' : `nada por ${n} dias`),
    week: (n) => (n === 1 ? 'nada por uma semana' : `nada por ${n} semanas`),
  },
};

export const alertRules: Part<AlertRules> = { en, 'pt-BR': ptBR };

interface Named {
  subject: DescribedSubject;
  /** Of the goal or insight; null: it has none, or no longer exists. */
  subjectName: string | null;
}

/** "Visitors", "Conversion rate: Sign-up". */
export function subjectText({ subject, subjectName }: Named, words: Words, rules: AlertRules): string {
  const text = plainSubject({ subject, subjectName: subjectName === '' ? null : subjectName }, words, rules);
  return 'filters' in subject && subject.filters ? `${text} (${rules.filtered})` : text;
}

function plainSubject({ subject, subjectName }: Named, words: Words, rules: AlertRules): string {
  switch (subject.kind) {
    case 'metric':
      return words.metrics[subject.metric];
    case 'goal': {
      const goal = subjectName ?? rules.deletedGoal;
      return subject.of === 'conversions' ? rules.conversionsOf(goal) : rules.conversionRateOf(goal);
    }
    case 'insight':
      return subjectName ?? rules.deletedInsight;
    case 'events':
      return subject.event === undefined ? rules.allEvents : rules.eventsOf(subject.event);
    case 'issues':
      return rules.issuesOf(subject.on.map((signal) => rules.signals[signal]).join(', '));
    case 'ingestion':
      return rules.ingestion[subject.of];
  }
}

/** A value as its subject has it: "36", "2.7%", "1m 20s". */
export function valueText(value: number | null, unit: AlertUnit, format: Format): string {
  if (value === null) return missing;
  if (unit === 'percent') return format.percent(value);
  if (unit === 'seconds') return format.duration(value);
  return Number.isInteger(value) ? format.number(value) : format.decimal(value);
}

export interface RuleText extends Named {
  condition: DescribedCondition;
  interval: AlertInterval;
}

/** "above 5", "nothing for 3 hours". */
export function conditionText(
  { subject, condition, interval }: Omit<RuleText, 'subjectName'>,
  format: Format,
  rules: AlertRules,
): string {
  switch (condition.kind) {
    case 'above':
    case 'below':
      return rules[condition.kind](valueText(condition.value, unitOf(subject), format));
    case 'change':
      return rules.change[condition.direction](format.percent(condition.share));
    case 'silence':
      return rules.silence[interval](condition.intervals);
  }
}

/** "Visitors, by day, above 5". */
export function ruleText(rule: RuleText, words: Words, rules: AlertRules): string {
  if (rule.subject.kind === 'issues') return `${subjectText(rule, words, rules)}, ${rules.atOnce}`;
  const condition = conditionText(rule, formatOf(words), rules);
  return `${subjectText(rule, words, rules)}, ${rules.by[rule.interval]}, ${condition}`;
}

interface Span {
  from: number;
  to: number;
}

/** "Thu 12 Nov, 13:00 – 14:00", "Thu 12 Nov", "9 – 15 Nov". */
export function intervalText(interval: AlertInterval, { from, to }: Span, timeZone: string, format: Format): string {
  if (interval === 'hour') return `${format.dayTime(from, timeZone)} – ${format.time(to, timeZone)}`;
  return interval === 'day' ? format.weekdayDay(from, timeZone) : format.span(from, to - 1, timeZone);
}

interface Facts extends RuleText, Span {
  timeZone: string;
  value: number | null;
  expected: number | null;
}

/** Parts of a message about an alert. */
export function alertFacts(facts: Facts, words: Words, rules: AlertRules) {
  const format = formatOf(words);
  const unit = unitOf(facts.subject);
  return {
    what: ruleText(facts, words, rules),
    value: valueText(facts.value, unit, format),
    when: intervalText(facts.interval, facts, facts.timeZone, format),
    expected: facts.expected === null ? null : valueText(facts.expected, unit, format),
  };
}
