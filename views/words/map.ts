/** Words of the map of countries. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  name: 'Visits by country (map)',
  explore: 'Use arrow keys to move between countries, starting with the most visits. Press Enter to filter.',
  what: 'Logarithmic scale. Very small countries appear only in the table.',
  visits: (country: string, n: number, text: string, share: string) =>
    `${country}: ${counted(n, text, 'visit', 'visits')}, ${share}`,
  nothing: (country: string) => `${country}: no visits`,
  none: 'Countries are colored once visits arrive.',
  noneDrawn: 'Countries unknown or too small to show on the map. See the table.',
};

const ptBR: typeof en = {
  name: 'Mapa de visitas por país',
  explore: 'Use as setas para mudar de país, a partir do que tem mais visitas. Enter aplica o filtro.',
  what: 'A escala de cores é logarítmica. Países muito pequenos aparecem só na tabela.',
  visits: (country, n, text, share) => `${country}: ${counted(n, text, 'visita', 'visitas')}, ${share}`,
  nothing: (country) => `${country}: nenhuma visita`,
  none: 'Os países aparecem coloridos quando houver visitas.',
  noneDrawn: 'Países desconhecidos ou pequenos demais para o mapa. Veja na tabela.',
};

export const mapWords: Part<typeof en> = { en, 'pt-BR': ptBR };
