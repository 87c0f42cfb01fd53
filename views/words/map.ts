/** Words of the map of countries. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  name: 'Map of visits by country',
  explore: 'Arrow keys go from country to country, the one with most visits first; Enter filters by it.',
  what: 'Each step of the scale stands for several times as many visits. Very small countries are in the table only.',
  visits: (country: string, n: number, text: string, share: string) =>
    `${country}: ${counted(n, text, 'visit', 'visits')}, ${share}`,
  nothing: (country: string) => `${country}: no visits`,
  none: 'Once there are visits, their countries are coloured here.',
  noneDrawn: 'The countries of these visits are not known, or too small to be drawn. The table has them.',
};

const ptBR: typeof en = {
  name: 'Mapa de visitas por país',
  explore: 'As setas vão de país em país, a partir do que tem mais visitas; Enter filtra por ele.',
  what: 'Cada passo da escala vale várias vezes mais visitas. Países muito pequenos estão só na tabela.',
  visits: (country, n, text, share) => `${country}: ${counted(n, text, 'visita', 'visitas')}, ${share}`,
  nothing: (country) => `${country}: nenhuma visita`,
  none: 'Quando houver visitas, seus países ganham cor aqui.',
  noneDrawn: 'Os países destas visitas não são conhecidos ou são pequenos demais para o desenho. Estão na tabela.',
};

export const mapWords: Part<typeof en> = { en, 'pt-BR': ptBR };
