/** Words of the maps of countries and of states. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const visits = (place: string, n: number, text: string, share: string) =>
  `${place}: ${counted(n, text, 'visit', 'visits')}, ${share}`;
const nothing = (place: string) => `${place}: no visits`;

const en = {
  country: {
    name: 'Visits by country (map)',
    explore: 'Use arrow keys to move between countries, starting with the most visits. Press Enter to filter.',
    what: 'Logarithmic scale. Very small countries appear only in the table.',
    visits,
    nothing,
    none: 'Countries are colored once visits arrive.',
    noneDrawn: 'Countries unknown or too small to show on the map. See the table.',
  },
  region: {
    name: 'Visits by Brazilian state (map)',
    explore: 'Use arrow keys to move between states, starting with the most visits. Press Enter to filter.',
    what: 'States of Brazil, logarithmic scale. Other regions appear only in the table.',
    visits,
    nothing,
    none: 'States are colored once visits arrive.',
    noneDrawn: 'No visits from a known state of Brazil. See the table.',
  },
};

const visitas: typeof visits = (place, n, text, share) =>
  `${place}: ${counted(n, text, 'visita', 'visitas')}, ${share}`;
const nenhuma: typeof nothing = (place) => `${place}: nenhuma visita`;

const ptBR: typeof en = {
  country: {
    name: 'Mapa de visitas por país',
    explore: 'Use as setas para mudar de país, a partir do que tem mais visitas. Enter aplica o filtro.',
    what: 'A escala de cores é logarítmica. Países muito pequenos aparecem só na tabela.',
    visits: visitas,
    nothing: nenhuma,
    none: 'Os países aparecem coloridos quando houver visitas.',
    noneDrawn: 'Países desconhecidos ou pequenos demais para o mapa. Veja na tabela.',
  },
  region: {
    name: 'Mapa de visitas por estado do Brasil',
    explore: 'Use as setas para mudar de estado, a partir do que tem mais visitas. Enter aplica o filtro.',
    what: 'Estados do Brasil, em escala logarítmica. Outras regiões aparecem só na tabela.',
    visits: visitas,
    nothing: nenhuma,
    none: 'Os estados aparecem coloridos quando houver visitas.',
    noneDrawn: 'Nenhuma visita de um estado conhecido do Brasil. Veja na tabela.',
  },
};

export const mapWords: Part<typeof en> = { en, 'pt-BR': ptBR };
