/** Words of the chart's figures as a file. */
import type { Part } from './part.ts';

const en = {
  /** `as`: CSV or XLSX. */
  download: (as: string): string => `Download chart data as ${as}`,
};

const ptBR: typeof en = {
  download: (as) => `Baixar os dados do gráfico em ${as}`,
};

export const chartFileWords: Part<typeof en> = { en, 'pt-BR': ptBR };
