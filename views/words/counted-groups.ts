/** Words of numbers that count groups, such as companies, instead of people. Groups are called as the project calls them. */
import type { Part } from './part.ts';

const en = {
  per: 'Count',
  groups: 'Groups',
  people: 'People',
  unique: (plural: string): string => `${plural} (unique)`,
  converted: (plural: string): string => `Conversions: ${plural}`,
  everyone: (plural: string): string => `${plural}, total`,
  active: (plural: string): string => `Active: ${plural}`,
  few: (n: string, plural: string): string => `Small sample (${plural}: ${n}): differences may be due to chance.`,
  below: (plural: string): string => `Above zero: active. Below: dormant. Counted: ${plural}.`,
  search: (plural: string): string => `Search ${plural}`,
  searchHint: 'Name or key',
  list: 'List',
  name: 'Name',
  events: 'Events',
  none: 'No results',
};

const ptBR: typeof en = {
  per: 'Contar',
  groups: 'Grupos',
  people: 'Pessoas',
  unique: (plural) => `${plural} (contagem única)`,
  converted: (plural) => `Conversões: ${plural}`,
  everyone: (plural) => `${plural}, total`,
  active: (plural) => `Com atividade: ${plural}`,
  few: (n, plural) => `Amostra pequena (${plural}: ${n}): as diferenças podem ser acaso.`,
  below: (plural) => `Acima de zero: com atividade. Abaixo: sem atividade. Contagem: ${plural}.`,
  search: (plural) => `Buscar: ${plural}`,
  searchHint: 'Nome ou chave',
  list: 'Lista',
  name: 'Nome',
  events: 'Eventos',
  none: 'Nenhum resultado',
};

export const countedGroupWords: Part<typeof en> = { en, 'pt-BR': ptBR };
