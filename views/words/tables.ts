/** Words of the tables of the Overview. */
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

interface OneTable {
  /** On its tab, where the others of its card stand beside it. */
  tab: string;
  value: string;
  count: string;
  /** Of rows that say nothing. */
  none: string;
  others: (n: number, text: string) => string;
  all: string;
  empty: string;
}

const visits = { count: 'Visits', empty: 'No visits in this period.' };
const campaigns = (tab: string, all: string, one: string, many: string): OneTable => ({
  ...{ ...visits, tab, value: tab, none: '(none)', all },
  others: (n, text) => counted(n, text, one, many),
});

const tables: Record<BreakdownDimension, OneTable> = {
  page: {
    ...{ tab: 'Pages', value: 'Path', count: 'Views', none: '(no path)', all: 'All pages' },
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
    empty: 'No page views in this period.',
  },
  entryPage: {
    ...{ ...visits, tab: 'Entry pages', value: 'Entry page', none: '(no path)', all: 'All entry pages' },
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
  },
  exitPage: {
    ...{ ...visits, tab: 'Exit pages', value: 'Exit page', none: '(no path)', all: 'All exit pages' },
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
  },
  outbound: {
    ...{ tab: 'Outbound links', value: 'Link', count: 'Clicks', none: '(none)', all: 'All outbound links' },
    others: (n, text) => counted(n, text, 'other link', 'other links'),
    empty: 'No outbound link clicks in this period. Requires autocapture.',
  },
  channel: {
    ...{ ...visits, tab: 'Channels', value: 'Channel', none: '(unknown)', all: 'All channels' },
    others: (n, text) => counted(n, text, 'other channel', 'other channels'),
  },
  referringDomain: {
    ...{ ...visits, tab: 'Referrers', value: 'Referring domain', none: 'Direct / none', all: 'All referring domains' },
    others: (n, text) => counted(n, text, 'other domain', 'other domains'),
  },
  utmSource: campaigns('UTM source', 'All UTM sources', 'other source', 'other sources'),
  utmMedium: campaigns('UTM medium', 'All UTM mediums', 'other medium', 'other mediums'),
  utmCampaign: campaigns('UTM campaign', 'All UTM campaigns', 'other campaign', 'other campaigns'),
  utmTerm: campaigns('UTM term', 'All UTM terms', 'other term', 'other terms'),
  utmContent: campaigns('UTM content', 'All UTM contents', 'other content', 'other contents'),
  country: {
    ...{ ...visits, tab: 'Countries', value: 'Country', none: '(unknown)', all: 'All countries' },
    others: (n, text) => counted(n, text, 'other country', 'other countries'),
  },
  language: {
    ...{ ...visits, tab: 'Languages', value: 'Language', none: '(unknown)', all: 'All languages' },
    others: (n, text) => counted(n, text, 'other language', 'other languages'),
  },
  timeZone: {
    ...{ ...visits, tab: 'Time zones', value: 'Time zone', none: '(unknown)', all: 'All time zones' },
    others: (n, text) => counted(n, text, 'other time zone', 'other time zones'),
  },
  deviceType: {
    ...{ ...visits, tab: 'Devices', value: 'Device type', none: '(unknown)', all: 'All devices' },
    others: (n, text) => counted(n, text, 'other device', 'other devices'),
  },
  browser: {
    ...{ ...visits, tab: 'Browsers', value: 'Browser', none: '(unknown)', all: 'All browsers' },
    others: (n, text) => counted(n, text, 'other browser', 'other browsers'),
  },
  system: {
    ...{ ...visits, tab: 'OS', value: 'OS', none: '(unknown)', all: 'All operating systems' },
    others: (n, text) => counted(n, text, 'other operating system', 'other operating systems'),
  },
  screenSize: {
    ...{ ...visits, tab: 'Screen sizes', value: 'Screen size', none: '(unknown)', all: 'All screen sizes' },
    others: (n, text) => counted(n, text, 'other screen size', 'other screen sizes'),
  },
  event: {
    ...{ tab: 'Events', value: 'Event', count: 'Events', none: '(no name)', all: 'All events' },
    others: (n, text) => counted(n, text, 'other event', 'other events'),
    empty: 'No events in this period.',
  },
};

/** Values that have a word of their own; others are shown as they were sent. */
type Names = Readonly<Record<string, string>>;

const en = {
  tables,
  figures: {
    bounceRate: 'Bounce rate',
    exitRate: 'Exit rate',
    timeOnPage: 'Time on page',
    scrollDepth: 'Scroll depth',
    duration: 'Visit duration',
    conversions: 'Conversions',
    conversionRate: 'Conversion rate',
    converted: 'Converted visits',
    convertedRate: 'Conversion rate (visits)',
  },
  channels: {} as Names,
  devices: {} as Names,
  widths: {
    '0-575': 'Under 576 px',
    '576-991': '576 to 991 px',
    '992-1439': '992 to 1,439 px',
    '1440+': '1,440 px and wider',
  } as Names,
  cards: { pages: 'Pages', sources: 'Sources', places: 'Locations', tech: 'Devices', done: 'Events' },
  campaigns: 'Campaigns',
  parameter: 'UTM parameter',
  csv: 'CSV',
  download: 'Download table as CSV',
  visitors: 'Visitors',
  people: 'People',
  share: 'Share',
  before: 'Previous',
  change: 'Change',
  details: 'Details',
  find: 'Search this table',
  noMatch: (text: string) => `No results for “${text}”`,
  rows: (n: number, text: string) => counted(n, text, 'row', 'rows'),
  sortBy: (column: string) => `Sort by ${column}`,
  pages: 'Pagination',
  previous: 'Previous',
  next: 'Next',
  span: (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
  tick: 'Marker: previous period',
};

const visitas = { count: 'Visitas', empty: 'Nenhuma visita neste período.' };
const campanhas = (tab: string, all: string, one: string, many: string): OneTable => ({
  ...{ ...visitas, tab, value: tab, none: '(vazio)', all },
  others: (n, text) => counted(n, text, one, many),
});

const tabelas: Record<BreakdownDimension, OneTable> = {
  page: {
    ...{ tab: 'Páginas', value: 'Caminho', count: 'Visualizações', none: '(sem caminho)', all: 'Todas as páginas' },
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
    empty: 'Nenhuma visualização neste período.',
  },
  entryPage: {
    ...{ ...visitas, tab: 'Entrada', value: 'Página de entrada', none: '(sem caminho)' },
    all: 'Todas as páginas de entrada',
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  },
  exitPage: {
    ...{ ...visitas, tab: 'Saída', value: 'Página de saída', none: '(sem caminho)', all: 'Todas as páginas de saída' },
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  },
  outbound: {
    ...{ tab: 'Links de saída', value: 'Link', count: 'Cliques', none: '(nenhum)', all: 'Todos os links de saída' },
    others: (n, text) => counted(n, text, 'outro link', 'outros links'),
    empty: 'Nenhum clique em links de saída neste período. Requer a captura automática ativada.',
  },
  channel: {
    ...{ ...visitas, tab: 'Canais', value: 'Canal', none: '(desconhecido)', all: 'Todos os canais' },
    others: (n, text) => counted(n, text, 'outro canal', 'outros canais'),
  },
  referringDomain: {
    ...{ ...visitas, tab: 'Referências', value: 'Domínio', none: 'Direto', all: 'Todos os domínios de referência' },
    others: (n, text) => counted(n, text, 'outro domínio', 'outros domínios'),
  },
  utmSource: campanhas('Origem', 'Todas as origens de campanha', 'outra origem', 'outras origens'),
  utmMedium: campanhas('Mídia', 'Todas as mídias de campanha', 'outra mídia', 'outras mídias'),
  utmCampaign: campanhas('Campanha', 'Todas as campanhas', 'outra campanha', 'outras campanhas'),
  utmTerm: campanhas('Termo', 'Todos os termos de campanha', 'outro termo', 'outros termos'),
  utmContent: campanhas('Conteúdo', 'Todos os conteúdos de campanha', 'outro conteúdo', 'outros conteúdos'),
  country: {
    ...{ ...visitas, tab: 'Países', value: 'País', none: '(desconhecido)', all: 'Todos os países' },
    others: (n, text) => counted(n, text, 'outro país', 'outros países'),
  },
  language: {
    ...{ ...visitas, tab: 'Idiomas', value: 'Idioma', none: '(desconhecido)', all: 'Todos os idiomas' },
    others: (n, text) => counted(n, text, 'outro idioma', 'outros idiomas'),
  },
  timeZone: {
    ...{ ...visitas, tab: 'Fusos', value: 'Fuso horário', none: '(desconhecido)', all: 'Todos os fusos horários' },
    others: (n, text) => counted(n, text, 'outro fuso horário', 'outros fusos horários'),
  },
  deviceType: {
    ...{ ...visitas, tab: 'Dispositivos', value: 'Dispositivo', none: '(desconhecido)', all: 'Todos os dispositivos' },
    others: (n, text) => counted(n, text, 'outro dispositivo', 'outros dispositivos'),
  },
  browser: {
    ...{ ...visitas, tab: 'Navegadores', value: 'Navegador', none: '(desconhecido)', all: 'Todos os navegadores' },
    others: (n, text) => counted(n, text, 'outro navegador', 'outros navegadores'),
  },
  system: {
    ...{
      ...visitas,
      tab: 'Sistemas',
      value: 'Sistema operacional',
      none: '(desconhecido)',
      all: 'Todos os sistemas operacionais',
    },
    others: (n, text) => counted(n, text, 'outro sistema', 'outros sistemas'),
  },
  screenSize: {
    ...{
      ...visitas,
      tab: 'Telas',
      value: 'Tamanho da tela',
      none: '(desconhecido)',
      all: 'Todos os tamanhos de tela',
    },
    others: (n, text) => counted(n, text, 'outro tamanho', 'outros tamanhos'),
  },
  event: {
    ...{ tab: 'Eventos', value: 'Evento', count: 'Total', none: '(sem nome)', all: 'Todos os eventos' },
    others: (n, text) => counted(n, text, 'outro evento', 'outros eventos'),
    empty: 'Nenhum evento neste período.',
  },
};

const ptBR: typeof en = {
  tables: tabelas,
  figures: {
    bounceRate: 'Rejeição',
    exitRate: 'Taxa de saída',
    timeOnPage: 'Tempo na página',
    scrollDepth: 'Rolagem',
    duration: 'Duração',
    conversions: 'Conversões',
    conversionRate: 'Taxa',
    converted: 'Com conversão',
    convertedRate: 'Taxa por visita',
  },
  channels: {
    'Cross Network': 'Várias redes',
    'Paid Search': 'Busca paga',
    'Paid Social': 'Social pago',
    'Paid Video': 'Vídeo pago',
    'Paid Shopping': 'Shopping pago',
    'Paid Other': 'Outras mídias pagas',
    Display: 'Display',
    Direct: 'Direto',
    'Organic Search': 'Busca orgânica',
    'Organic Social': 'Social orgânico',
    'Organic Video': 'Vídeo orgânico',
    'Organic Shopping': 'Shopping orgânico',
    AI: 'IA',
    Affiliate: 'Afiliados',
    Referral: 'Referência',
    Email: 'E-mail',
    Audio: 'Áudio',
    SMS: 'SMS',
    Push: 'Push',
    Other: 'Outros',
  },
  devices: { Mobile: 'Celular', Desktop: 'Computador', Tablet: 'Tablet', Wearable: 'Wearable' },
  widths: {
    '0-575': 'Até 575 px',
    '576-991': '576 a 991 px',
    '992-1439': '992 a 1.439 px',
    '1440+': '1.440 px ou mais',
  },
  cards: {
    pages: 'Páginas',
    sources: 'Origens',
    places: 'Localização',
    tech: 'Tecnologia',
    done: 'Eventos e metas',
  },
  campaigns: 'Campanhas',
  parameter: 'Parâmetro da URL',
  csv: 'CSV',
  download: 'Baixar esta tabela em CSV',
  visitors: 'Visitantes',
  people: 'Pessoas',
  share: '% do total',
  before: 'Anterior',
  change: 'Variação',
  details: 'Detalhes',
  find: 'Buscar na tabela',
  noMatch: (text) => `Nenhum resultado para “${text}”.`,
  rows: (n, text) => counted(n, text, 'linha', 'linhas'),
  sortBy: (column) => `Ordenar por ${column}`,
  pages: 'Páginas da tabela',
  previous: 'Anterior',
  next: 'Próxima',
  span: (from, to, all) => `${from}–${to} de ${all}`,
  tick: 'A marca na barra indica o período anterior.',
};

export type TableWords = typeof en;
export const tableWords: Part<TableWords> = { en, 'pt-BR': ptBR };
