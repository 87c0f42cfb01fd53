/** Words of the chart's figures as a file. */
import type { Part } from './part.ts';

const en = {
  csv: 'CSV',
  download: 'Download what the chart shows as CSV',
};

const ptBR: typeof en = {
  csv: 'CSV',
  download: 'Baixar o que o gráfico mostra em CSV',
};

export const chartFileWords: Part<typeof en> = { en, 'pt-BR': ptBR };
