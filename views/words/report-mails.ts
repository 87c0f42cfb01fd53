/** Texts of mails with reports. Server only. */
import type { ReportFrequency } from '#src/reports/values.ts';
import type { Part } from './part.ts';

const en = {
  title: {
    daily: (day: string) => day,
    weekly: (dates: string) => `Week of ${dates}`,
    monthly: (month: string) => month,
  } as Record<ReportFrequency, (dates: string) => string>,
  subject: (what: string, period: string) => `${what}: ${period}`,
  peak: (day: string, visits: string) => `${day} had the most visits: ${visits}`,
  noVisits: 'No visits in this period',
  steady: (visits: string) => `${visits} visits`,
  compared: (dates: string) => `Compared with ${dates}.`,
  by: {
    hour: (metric: string, zone: string) => `${metric} by hour, ${zone}`,
    day: (metric: string, zone: string) => `${metric} by day, ${zone}`,
  },
  failed: (name: string) =>
    name === '' ? 'A part couldn’t be computed this time.' : `“${name}” couldn’t be computed this time.`,
  more: (n: number) => (n === 1 ? '1 more tile is on the dashboard.' : `${n} more tiles are on the dashboard.`),
  cut: 'This report was shortened to fit into an email.',
  open: { summary: 'Open Overview', dashboard: 'Open dashboard', insight: 'Open insight' },
  conversionOf: (rate: string) => `${rate} conversion`,
  people: 'People',
  nothing: 'No data in this period.',
  mean: (name: string) => `Mean, ${name}`,
  for: (to: string) => `, for ${to}`,
  manage: 'Change what you receive',
  unsubscribe: 'Unsubscribe',
};
export type ReportMailWords = typeof en;

const ptBR: ReportMailWords = {
  title: {
    daily: (day) => day,
    weekly: (dates) => `Semana de ${dates}`,
    monthly: (month) => month,
  },
  subject: (what, period) => `${what}: ${period}`,
  peak: (day, visits) => `${day} teve mais visitas: ${visits}`,
  noVisits: 'Nenhuma visita no período',
  steady: (visits) => `${visits} visitas`,
  compared: (dates) => `Comparado com ${dates}.`,
  by: {
    hour: (metric, zone) => `${metric} por hora, em ${zone}`,
    day: (metric, zone) => `${metric} por dia, em ${zone}`,
  },
  failed: (name) =>
    name === '' ? 'Uma parte não pôde ser calculada desta vez.' : `“${name}” não pôde ser calculado desta vez.`,
  more: (n) => (n === 1 ? 'Há mais 1 bloco no painel.' : `Há mais ${n} blocos no painel.`),
  cut: 'Este relatório foi encurtado para caber em um e-mail.',
  open: { summary: 'Abrir Visão geral', dashboard: 'Abrir painel', insight: 'Abrir insight' },
  conversionOf: (rate) => `${rate} de conversão`,
  people: 'Pessoas',
  nothing: 'Sem dados no período.',
  mean: (name) => `Média, ${name}`,
  for: (to) => `, para ${to}`,
  manage: 'Alterar o que recebo',
  unsubscribe: 'Não receber mais',
};

export const reportMailWords: Part<ReportMailWords> = { en, 'pt-BR': ptBR };
