/** A report in the words of its reader. Pure. */
import type { Breakdown, GoalFigures, Overview } from '#src/insights/contract.ts';
import type { HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import type { Movers } from '#src/insights/kinds/movers/contract.ts';
import type { Vitals } from '#src/insights/kinds/vitals/contract.ts';
import type { MailLanguage } from '#src/mail/contract.ts';
import type { ReportData, ReportDates, ReportPart } from '#src/reports/values.ts';
import { moverSentences } from '#views/words/mover-sentences.ts';
import { scheduleText } from '#views/words/report-rules.ts';
import { wallTime } from '#views/words/zone.ts';
import { hoursGrid, vitalsTable } from './hours-and-vitals.ts';
import { insightSections } from './insight-sections.ts';
import { breakdownTable, goalsTable, overviewSections } from './overview-sections.ts';
import { type ReportTexts, textsIn } from './report-words.ts';
import type { Section } from './sections.ts';

export interface ReportLetter {
  subject: string;
  /** Preview text in the inbox. */
  preview: string;
  project: string;
  /** Which period. */
  period: string;
  title: string;
  sections: Section[];
  action: { label: string; link: string };
  /** Why this reader gets it, and what it is compared with. */
  reason: string;
  manage: { label: string; link: string } | null;
  unsubscribe: { label: string; link: string };
}

/** @param to the address; empty in a preview */
export function reportLetter(data: ReportData, language: MailLanguage, to: string): ReportLetter {
  const texts = textsIn(language);
  const { own, rules } = texts;
  const period = periodText(data, data.dates, texts);
  const headline = data.kind === 'summary' ? headlineOf(data, texts) : data.name;
  const figures = figuresLine(data, texts);
  return {
    subject: own.subject(data.kind === 'summary' ? data.project : `${data.name} · ${data.project}`, period),
    preview: [data.kind === 'summary' ? headline : '', figures].filter((text) => text !== '').join('. '),
    project: data.project,
    period,
    title: headline,
    sections: [
      ...data.parts.flatMap((part) => sectionsOf(part, data, texts)),
      ...(data.more > 0 ? [{ kind: 'note' as const, text: own.more(data.more) }] : []),
    ],
    action: { label: own.open[data.kind], link: data.link },
    reason: `${scheduleText(data.schedule, rules)}${to === '' ? '' : own.for(to)}. ${own.compared(datesText(data, data.previous, texts))}`,
    manage: data.manageLink === null ? null : { label: own.manage, link: data.manageLink },
    unsubscribe: { label: own.unsubscribe, link: data.unsubscribeLink },
  };
}

function sectionsOf(part: ReportPart, data: ReportData, texts: ReportTexts): Section[] {
  switch (part.kind) {
    case 'overview':
      return overviewSections(part, part.result as Overview, texts);
    case 'breakdown':
      return [breakdownTable(part.result as Breakdown, texts)];
    case 'goals':
      return [goalsTable(part.result as GoalFigures, texts)];
    case 'movers': {
      const lines = moverSentences(part.result as Movers, texts.words, Number(data.dates.to.slice(0, 4)));
      return lines.length === 0 ? [] : [{ kind: 'text', lines }];
    }
    case 'heatmap':
      return [hoursGrid(part.result as HeatmapResult, texts)];
    case 'vitals':
      return [vitalsTable(part.result as Vitals, texts)];
    case 'insight':
      return insightSections(part, data.goals, texts);
    case 'heading':
      return [{ kind: 'heading', text: part.text }];
    case 'text':
      return [{ kind: 'text', lines: plainLines(part.text) }];
    default:
      return [{ kind: 'note', text: texts.own.failed(part.name) }];
  }
}

/** Dates without a time zone. */
function at(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** "Thu 12 Nov", "9 – 15 Nov", "Nov 2026". */
function datesText(
  { schedule }: Pick<ReportData, 'schedule'>,
  { from, to }: ReportDates,
  { format }: ReportTexts,
): string {
  if (schedule.frequency === 'daily') return format.weekdayDay(at(from), 'UTC');
  return schedule.frequency === 'monthly' ? format.monthYear(at(from), 'UTC') : format.range(from, to);
}

function periodText(data: ReportData, dates: ReportDates, texts: ReportTexts): string {
  return texts.own.title[data.schedule.frequency](datesText(data, dates, texts));
}

/** The day with the most visits, of several; else how many there were. */
function headlineOf({ parts, schedule }: ReportData, { own, rules, format }: ReportTexts): string {
  const part = parts.find((each) => each.kind === 'overview');
  const result = part?.result as Overview | undefined;
  const visits = result?.metrics.visits.value ?? 0;
  if (result === undefined || visits === 0) return own.noVisits;
  const { starts, series, timeZone } = result;
  const days = series.visits.map((value) => value ?? 0);
  const most = Math.max(...days);
  const isAlone = days.filter((value) => value === most).length === 1;
  if (schedule.frequency === 'daily' || !isAlone) return own.steady(format.number(visits));
  const ms = starts[days.indexOf(most)] ?? 0;
  const weekday = rules.weekdays[wallTime(ms, timeZone).weekday] ?? '';
  const day = schedule.frequency === 'monthly' ? format.weekdayDay(ms, timeZone) : weekday;
  return own.peak(day.charAt(0).toUpperCase() + day.slice(1), format.number(most));
}

/** The first numbers, for the list of an inbox. */
function figuresLine({ parts }: ReportData, texts: ReportTexts): string {
  const part = parts.find((each) => each.kind === 'overview');
  const [first] = part === undefined ? [] : overviewSections(part, part.result as Overview, texts);
  if (first?.kind !== 'figures') return '';
  return first.figures
    .map(({ label, value, moved }) => `${label} ${value}${moved === null ? '' : ` (${moved.text})`}`)
    .join(', ');
}

/** Lines of a Markdown text as they are read, without its marks. */
function plainLines(markdown: string): string[] {
  return markdown
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[*_`~]{1,3}([^*_`~]+)[*_`~]{1,3}/g, '$1')
        .trim(),
    )
    .filter((line) => line !== '')
    .slice(0, 40);
}
