/** Words of the chart's figures as a file. */
import type { Part } from './part.ts';

const en = {
  csv: 'CSV',
  download: 'Download chart data as CSV',
};

const ptBR: typeof en = {
  csv: 'CSV',
  download: 'Baixar os dados do gráfico em CSV',
};

export const chartFileWords: Part<typeof en> = { en, 'pt-BR': ptBR };
