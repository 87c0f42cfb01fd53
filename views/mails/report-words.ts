/** Every word that a report may need, in one language. */
import type { MailLanguage } from '#src/mail/contract.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { en } from '#views/words/en.ts';
import { filterWords } from '#views/words/filters.ts';
import { type Format, formatOf } from '#views/words/format.ts';
import type { ChangeKind } from '#views/words/format-change.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { hoursWords } from '#views/words/hours.ts';
import { insightWords } from '#views/words/insights.ts';
import { pathsWords } from '#views/words/paths.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { reportMailWords } from '#views/words/report-mails.ts';
import { reportRules } from '#views/words/report-rules.ts';
import { retentionWords } from '#views/words/retention.ts';
import { tableWords } from '#views/words/tables.ts';
import { trendsWords } from '#views/words/trends.ts';
import type { Reading } from '#views/words/value-text.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import type { Moved } from './sections.ts';

export type ReportTexts = ReturnType<typeof textsIn>;

export function textsIn(language: MailLanguage) {
  const words = language === 'pt-BR' ? ptBR : en;
  const format = formatOf(words);
  const reading: Reading = { own: tableWords[language], format, locale: words.writing.locale };
  return {
    words,
    format,
    reading,
    own: reportMailWords[language],
    rules: reportRules[language],
    tables: tableWords[language],
    dashboards: dashboardWords[language],
    insights: insightWords[language],
    filters: filterWords[language],
    trends: trendsWords[language],
    funnel: funnelWords[language],
    retention: retentionWords[language],
    paths: pathsWords[language],
    hours: hoursWords[language],
    vitals: vitalsWords[language],
  };
}

/** How a number moved, as screens write it. */
export function movedBy(
  format: Format,
  value: number | null,
  before: number | null,
  kind: ChangeKind,
  good: 'up' | 'down' | null,
): Moved | null {
  const change = format.change(value, before, kind);
  if (change === null) return null;
  const { text, direction } = change;
  return { text, direction, tone: direction === null || good === null ? null : direction === good ? 'good' : 'bad' };
}
