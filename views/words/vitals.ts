/** Words of the web vitals. */
import type { VitalName } from '#src/insights/kinds/vitals/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const vitals: Record<VitalName, string> = {
  LCP: 'Largest Contentful Paint (LCP)',
  INP: 'Interaction to Next Paint (INP)',
  CLS: 'Cumulative Layout Shift (CLS)',
  FCP: 'First Contentful Paint (FCP)',
};

const note = (percentile: number) =>
  `p${percentile}: ${percentile}% of samples are at or below this value. Fewer than 10 samples: not enough data.`;

const en = {
  title: 'Web Vitals',
  choose: 'Metric for pages',
  vitals,
  rating: { good: 'Good', fair: 'Needs improvement', poor: 'Poor' },
  shares: (good: string, fair: string, poor: string) => `${good} good, ${fair} needs improvement, ${poor} poor`,
  page: 'Page',
  none: '(no path)',
  percentile: 'Percentile',
  percentiles: { 75: '75th percentile (p75)', 90: '90th percentile (p90)', 99: '99th percentile (p99)' },
  good: 'Good',
  poor: 'Poor',
  samples: 'Samples',
  few: 'Not enough data',
  empty: 'No Web Vitals data in this period',
  others: (n: number, text: string) => counted(n, text, 'other page', 'other pages'),
  measured: (n: number, text: string) => counted(n, text, 'sample', 'samples'),
  notes: {
    75: note(75),
    90: note(90),
    99: note(99),
  },
};

const nota = (percentile: number) =>
  `p${percentile}: ${percentile}% das medições ficam até este valor. Menos de 10 medições são poucos dados.`;

const ptBR: typeof en = {
  title: 'Web Vitals',
  choose: 'Métrica',
  vitals: {
    LCP: 'Largest Contentful Paint (LCP)',
    INP: 'Interaction to Next Paint (INP)',
    CLS: 'Cumulative Layout Shift (CLS)',
    FCP: 'First Contentful Paint (FCP)',
  },
  rating: { good: 'bom', fair: 'precisa melhorar', poor: 'ruim' },
  shares: (good, fair, poor) => `${good} bom, ${fair} precisa melhorar, ${poor} ruim`,
  page: 'Página',
  none: '(sem caminho)',
  percentile: 'Percentil',
  percentiles: { 75: 'Percentil 75', 90: 'Percentil 90', 99: 'Percentil 99' },
  good: 'Bom',
  poor: 'Ruim',
  samples: 'Medições',
  few: 'poucos dados',
  empty: 'Nenhuma medição neste período.',
  others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  measured: (n, text) => counted(n, text, 'medição', 'medições'),
  notes: {
    75: nota(75),
    90: nota(90),
    99: nota(99),
  },
};

export const vitalsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
