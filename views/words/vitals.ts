/** Words of the web vitals. */
import type { VitalName } from '#src/insights/vitals/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const vitals: Record<VitalName, string> = {
  LCP: 'Largest element painted',
  INP: 'Answer to input',
  CLS: 'Layout shift',
  FCP: 'First paint',
};

const en = {
  title: 'Web vitals',
  choose: 'Vital of the pages',
  vitals,
  rating: { good: 'good', fair: 'needs improvement', poor: 'poor' },
  shares: (good: string, fair: string, poor: string) => `${good} good, ${fair} in between, ${poor} poor`,
  page: 'Page',
  none: '(no path)',
  p75: '75th percentile',
  good: 'Good',
  poor: 'Poor',
  samples: 'Measured',
  few: 'little data',
  empty: 'Nothing was measured in this period.',
  others: (n: number, text: string) => counted(n, text, 'other page', 'other pages'),
  measured: (n: number, text: string) => counted(n, text, 'measurement', 'measurements'),
  note: 'Three of four measurements are at most the 75th percentile. Fewer than 10 measurements are little data.',
};

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
  p75: 'Percentil 75',
  good: 'Boas',
  poor: 'Ruins',
  samples: 'Medições',
  few: 'poucos dados',
  empty: 'Nada foi medido neste período.',
  others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  measured: (n, text) => counted(n, text, 'medição', 'medições'),
  note: 'Três de cada quatro medições ficam até o percentil 75. Páginas com menos de 10 têm poucos dados.',
};

export const vitalsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
