/** When reports are sent, in words: on screens and in mails. */
import type { ReportSchedule } from '#src/reports/values.ts';
import type { Part } from './part.ts';
import { two } from './signs.ts';

const en = {
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  daily: (time: string) => `Every day at ${time}`,
  weekly: (weekday: string, time: string) => `Every ${weekday} at ${time}`,
  monthly: (time: string) => `On the 1st of each month at ${time}`,
  summary: 'Project summary',
};
export type ReportRules = typeof en;

const ptBR: ReportRules = {
  weekdays: ['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'],
  daily: (time) => `Todo dia às ${time}`,
  weekly: (weekday, time) => `${/^(?:domingo|sábado)$/.test(weekday) ? 'Todo' : 'Toda'} ${weekday} às ${time}`,
  monthly: (time) => `No dia 1º de cada mês às ${time}`,
  summary: 'Resumo do projeto',
};

export const reportRules: Part<ReportRules> = { en, 'pt-BR': ptBR };

/** "Every Monday at 08:00". */
export function scheduleText({ frequency, weekday, hour }: ReportSchedule, words: ReportRules): string {
  const time = `${two(hour)}:00`;
  return frequency === 'weekly' ? words.weekly(words.weekdays[weekday] ?? '', time) : words[frequency](time);
}
