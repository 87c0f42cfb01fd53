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

/** Makes the texts of tables of visits. @param texts what all of them say */
const tableOfVisits =
  (texts: Pick<OneTable, 'count' | 'empty'>) =>
  (tab: string, value: string, none: string, all: string, one: string, many: string): OneTable => ({
    ...texts,
    tab,
    value,
    none,
    all,
    others: (n, text) => counted(n, text, one, many),
  });

const ofVisits = tableOfVisits({ count: 'Visits', empty: 'No visits in this period.' });
const campaigns = (tab: string, all: string, one: string, many: string) => ofVisits(tab, tab, '(none)', all, one, many);

const tables: Record<BreakdownDimension, OneTable> = {
  page: {
    tab: 'Pages',
    value: 'Path',
    count: 'Views',
    none: '(no path)',
    all: 'All pages',
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
    empty: 'No page views in this period.',
  },
  entryPage: ofVisits('Entry pages', 'Entry page', '(no path)', 'All entry pages', 'other page', 'other pages'),
  exitPage: ofVisits('Exit pages', 'Exit page', '(no path)', 'All exit pages', 'other page', 'other pages'),
  outbound: {
    tab: 'Outbound links',
    value: 'Link',
    count: 'Clicks',
    none: '(none)',
    all: 'All outbound links',
    others: (n, text) => counted(n, text, 'other link', 'other links'),
    empty: 'No outbound link clicks in this period. Requires autocapture.',
  },
  source: ofVisits('Sources', 'Source', 'Direct / none', 'All sources', 'other source', 'other sources'),
  channel: ofVisits('Channels', 'Channel', '(unknown)', 'All channels', 'other channel', 'other channels'),
  referringDomain: ofVisits(
    'Referrers',
    'Referring domain',
    'Direct / none',
    'All referring domains',
    'other domain',
    'other domains',
  ),
  utmSource: campaigns('UTM source', 'All UTM sources', 'other source', 'other sources'),
  utmMedium: campaigns('UTM medium', 'All UTM mediums', 'other medium', 'other mediums'),
  utmCampaign: campaigns('UTM campaign', 'All UTM campaigns', 'other campaign', 'other campaigns'),
  utmTerm: campaigns('UTM term', 'All UTM terms', 'other term', 'other terms'),
  utmContent: campaigns('UTM content', 'All UTM contents', 'other content', 'other contents'),
  country: ofVisits('Countries', 'Country', '(unknown)', 'All countries', 'other country', 'other countries'),
  region: ofVisits('Regions', 'Region', '(unknown)', 'All regions', 'other region', 'other regions'),
  city: ofVisits('Cities', 'City', '(unknown)', 'All cities', 'other city', 'other cities'),
  language: ofVisits('Languages', 'Language', '(unknown)', 'All languages', 'other language', 'other languages'),
  timeZone: ofVisits('Time zones', 'Time zone', '(unknown)', 'All time zones', 'other time zone', 'other time zones'),
  deviceType: ofVisits('Devices', 'Device type', '(unknown)', 'All devices', 'other device', 'other devices'),
  browser: ofVisits('Browsers', 'Browser', '(unknown)', 'All browsers', 'other browser', 'other browsers'),
  os: ofVisits('OS', 'OS', '(unknown)', 'All operating systems', 'other operating system', 'other operating systems'),
  viewportWidth: ofVisits(
    'Screen sizes',
    'Screen size',
    '(unknown)',
    'All screen sizes',
    'other screen size',
    'other screen sizes',
  ),
  event: {
    tab: 'Events',
    value: 'Event',
    count: 'Events',
    none: '(no name)',
    all: 'All events',
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
    conversions: 'Conv. here',
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
  download: (as: string): string => `Download table as ${as}`,
  visitors: 'Visitors',
  people: 'People',
  share: 'Share',
  now: 'This period',
  before: 'Previous',
  change: 'Change',
  details: 'Details',
  domainsOf: (source: string) => `Domains of ${source}`,
  loading: 'Loading…',
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

const ofVisitsPt = tableOfVisits({ count: 'Visitas', empty: 'Nenhuma visita neste período.' });
const campanhas = (tab: string, all: string, one: string, many: string) =>
  ofVisitsPt(tab, tab, '(vazio)', all, one, many);

const tabelas: Record<BreakdownDimension, OneTable> = {
  page: {
    tab: 'Páginas',
    value: 'Caminho',
    count: 'Visualizações',
    none: '(sem caminho)',
    all: 'Todas as páginas',
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
    empty: 'Nenhuma visualização neste período.',
  },
  entryPage: ofVisitsPt(
    'Entrada',
    'Página de entrada',
    '(sem caminho)',
    'Todas as páginas de entrada',
    'outra página',
    'outras páginas',
  ),
  exitPage: ofVisitsPt(
    'Saída',
    'Página de saída',
    '(sem caminho)',
    'Todas as páginas de saída',
    'outra página',
    'outras páginas',
  ),
  outbound: {
    tab: 'Links de saída',
    value: 'Link',
    count: 'Cliques',
    none: '(nenhum)',
    all: 'Todos os links de saída',
    others: (n, text) => counted(n, text, 'outro link', 'outros links'),
    empty: 'Nenhum clique em links de saída neste período. Requer a captura automática ativada.',
  },
  source: ofVisitsPt('Origens', 'Origem', 'Direto', 'Todas as origens', 'outra origem', 'outras origens'),
  channel: ofVisitsPt('Canais', 'Canal', '(desconhecido)', 'Todos os canais', 'outro canal', 'outros canais'),
  referringDomain: ofVisitsPt(
    'Referências',
    'Domínio',
    'Direto',
    'Todos os domínios de referência',
    'outro domínio',
    'outros domínios',
  ),
  utmSource: campanhas('Origem', 'Todas as origens de campanha', 'outra origem', 'outras origens'),
  utmMedium: campanhas('Mídia', 'Todas as mídias de campanha', 'outra mídia', 'outras mídias'),
  utmCampaign: campanhas('Campanha', 'Todas as campanhas', 'outra campanha', 'outras campanhas'),
  utmTerm: campanhas('Termo', 'Todos os termos de campanha', 'outro termo', 'outros termos'),
  utmContent: campanhas('Conteúdo', 'Todos os conteúdos de campanha', 'outro conteúdo', 'outros conteúdos'),
  country: ofVisitsPt('Países', 'País', '(desconhecido)', 'Todos os países', 'outro país', 'outros países'),
  region: ofVisitsPt(
    'Estados',
    'Estado ou região',
    '(desconhecido)',
    'Todos os estados e regiões',
    'outro estado ou região',
    'outros estados ou regiões',
  ),
  city: ofVisitsPt('Cidades', 'Cidade', '(desconhecida)', 'Todas as cidades', 'outra cidade', 'outras cidades'),
  language: ofVisitsPt('Idiomas', 'Idioma', '(desconhecido)', 'Todos os idiomas', 'outro idioma', 'outros idiomas'),
  timeZone: ofVisitsPt(
    'Fusos',
    'Fuso horário',
    '(desconhecido)',
    'Todos os fusos horários',
    'outro fuso horário',
    'outros fusos horários',
  ),
  deviceType: ofVisitsPt(
    'Dispositivos',
    'Dispositivo',
    '(desconhecido)',
    'Todos os dispositivos',
    'outro dispositivo',
    'outros dispositivos',
  ),
  browser: ofVisitsPt(
    'Navegadores',
    'Navegador',
    '(desconhecido)',
    'Todos os navegadores',
    'outro navegador',
    'outros navegadores',
  ),
  os: ofVisitsPt(
    'Sistemas',
    'Sistema operacional',
    '(desconhecido)',
    'Todos os sistemas operacionais',
    'outro sistema',
    'outros sistemas',
  ),
  viewportWidth: ofVisitsPt(
    'Telas',
    'Tamanho da tela',
    '(desconhecido)',
    'Todos os tamanhos de tela',
    'outro tamanho',
    'outros tamanhos',
  ),
  event: {
    tab: 'Eventos',
    value: 'Evento',
    count: 'Total',
    none: '(sem nome)',
    all: 'Todos os eventos',
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
    conversions: 'Conv. aqui',
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
  download: (as) => `Baixar esta tabela em ${as}`,
  visitors: 'Visitantes',
  people: 'Pessoas',
  share: '% do total',
  now: 'Neste período',
  before: 'Anterior',
  change: 'Variação',
  details: 'Detalhes',
  domainsOf: (source) => `Domínios de ${source}`,
  loading: 'Carregando…',
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
