/** Words of the web vitals. */
import type { VitalName } from '#src/insights/kinds/vitals/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const vitals: Record<VitalName, string> = {
  LCP: 'Largest element painted',
  INP: 'Answer to input',
  CLS: 'Layout shift',
  FCP: 'First paint',
};

const note = (share: string, percentile: string) =>
  `${share} measurements are at most the ${percentile} percentile. Fewer than 10 measurements are little data.`;

const en = {
  title: 'Web vitals',
  choose: 'Vital of the pages',
  vitals,
  rating: { good: 'good', fair: 'needs improvement', poor: 'poor' },
  shares: (good: string, fair: string, poor: string) => `${good} good, ${fair} in between, ${poor} poor`,
  page: 'Page',
  none: '(no path)',
  percentile: 'Percentile',
  percentiles: { 75: '75th percentile', 90: '90th percentile', 99: '99th percentile' },
  good: 'Good',
  poor: 'Poor',
  samples: 'Measured',
  few: 'little data',
  empty: 'Nothing was measured in this period.',
  others: (n: number, text: string) => counted(n, text, 'other page', 'other pages'),
  measured: (n: number, text: string) => counted(n, text, 'measurement', 'measurements'),
  notes: {
    75: note('Three of four', '75th'),
    90: note('Nine of ten', '90th'),
    99: note('99 of 100', '99th'),
  },
};

const nota = (share: string, percentile: number) =>
  `${share} medições ficam até o percentil ${percentile}. Páginas com menos de 10 têm poucos dados.`;

const ptBR: typeof en = {
  title: 'Web vitals',
  choose: 'Medida das páginas',
  vitals: {
    LCP: 'Maior elemento exibido',
    INP: 'Resposta à interação',
    CLS: 'Deslocamento do layout',
    FCP: 'Primeira exibição',
  },
  rating: { good: 'bom', fair: 'precisa melhorar', poor: 'ruim' },
  shares: (good, fair, poor) => `${good} boas, ${fair} intermediárias, ${poor} ruins`,
  page: 'Página',
  none: '(sem caminho)',
  percentile: 'Percentil',
  percentiles: { 75: 'Percentil 75', 90: 'Percentil 90', 99: 'Percentil 99' },
  good: 'Boas',
  poor: 'Ruins',
  samples: 'Medições',
  few: 'poucos dados',
  empty: 'Nada foi medido neste período.',
  others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  measured: (n, text) => counted(n, text, 'medição', 'medições'),
  notes: {
    75: nota('Três de cada quatro', 75),
    90: nota('Nove de cada dez', 90),
    99: nota('99 de cada 100', 99),
  },
};

export const vitalsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
