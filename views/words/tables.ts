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
    ...{ ...visits, tab: 'Entry', value: 'First page', none: '(no path)', all: 'All entry pages' },
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
  },
  exitPage: {
    ...{ ...visits, tab: 'Exit', value: 'Last page', none: '(no path)', all: 'All exit pages' },
    others: (n, text) => counted(n, text, 'other page', 'other pages'),
  },
  outbound: {
    ...{ tab: 'Outbound', value: 'Link', count: 'Clicks', none: '(none)', all: 'All outbound links' },
    others: (n, text) => counted(n, text, 'other link', 'other links'),
    empty: 'No clicks on links to other sites in this period. They are counted where autocapture is on.',
  },
  channel: {
    ...{ ...visits, tab: 'Channels', value: 'Channel', none: '(unknown)', all: 'All channels' },
    others: (n, text) => counted(n, text, 'other channel', 'other channels'),
  },
  referringDomain: {
    ...{ ...visits, tab: 'Referrers', value: 'Domain', none: 'Direct / none', all: 'All referring domains' },
    others: (n, text) => counted(n, text, 'other domain', 'other domains'),
  },
  utmSource: campaigns('Source', 'All sources of campaigns', 'other source', 'other sources'),
  utmMedium: campaigns('Medium', 'All media of campaigns', 'other medium', 'other media'),
  utmCampaign: campaigns('Campaign', 'All campaigns', 'other campaign', 'other campaigns'),
  utmTerm: campaigns('Term', 'All terms of campaigns', 'other term', 'other terms'),
  utmContent: campaigns('Content', 'All contents of campaigns', 'other content', 'other contents'),
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
    ...{ ...visits, tab: 'Devices', value: 'Device', none: '(unknown)', all: 'All devices' },
    others: (n, text) => counted(n, text, 'other device', 'other devices'),
  },
  browser: {
    ...{ ...visits, tab: 'Browsers', value: 'Browser', none: '(unknown)', all: 'All browsers' },
    others: (n, text) => counted(n, text, 'other browser', 'other browsers'),
  },
  system: {
    ...{ ...visits, tab: 'Systems', value: 'System', none: '(unknown)', all: 'All systems' },
    others: (n, text) => counted(n, text, 'other system', 'other systems'),
  },
  screenSize: {
    ...{ ...visits, tab: 'Screens', value: 'Width of the window', none: '(unknown)', all: 'All widths of windows' },
    others: (n, text) => counted(n, text, 'other width', 'other widths'),
  },
  event: {
    ...{ tab: 'Events', value: 'Event', count: 'Count', none: '(no name)', all: 'All events' },
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
    duration: 'Duration',
    conversions: 'Conversions',
    conversionRate: 'Rate',
    converted: 'Converted',
    convertedRate: 'Of visits',
  },
  channels: {} as Names,
  devices: {} as Names,
  widths: {
    '0-575': 'Up to 575 px',
    '576-991': '576 to 991 px',
    '992-1439': '992 to 1,439 px',
    '1440+': '1,440 px and wider',
  } as Names,
  cards: { pages: 'Pages', sources: 'Sources', places: 'Places', tech: 'Devices and software', done: 'What was done' },
  campaigns: 'Campaigns',
  parameter: 'Parameter of the address',
  csv: 'CSV',
  download: 'Download this table as CSV',
  visitors: 'Visitors',
  people: 'People',
  share: 'Share',
  before: 'Before',
  change: 'Change',
  details: 'Details',
  find: 'Find in this table',
  noMatch: (text: string) => `Nothing here contains “${text}”.`,
  rows: (n: number, text: string) => counted(n, text, 'row', 'rows'),
  sortBy: (column: string) => `Sort by ${column}`,
  pages: 'Pages of the table',
  previous: 'Previous',
  next: 'Next',
  span: (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
  tick: 'The mark on a bar is the period before.',
};

const visitas = { count: 'Visitas', empty: 'Nenhuma visita neste período.' };
const campanhas = (tab: string, all: string, one: string, many: string): OneTable => ({
  ...{ ...visitas, tab, value: tab, none: '(nenhum)', all },
  others: (n, text) => counted(n, text, one, many),
});

const tabelas: Record<BreakdownDimension, OneTable> = {
  page: {
    ...{ tab: 'Páginas', value: 'Caminho', count: 'Vistas', none: '(sem caminho)', all: 'Todas as páginas' },
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
    empty: 'Nenhuma página vista neste período.',
  },
  entryPage: {
    ...{ ...visitas, tab: 'Entrada', value: 'Primeira página', none: '(sem caminho)' },
    all: 'Todas as páginas de entrada',
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  },
  exitPage: {
    ...{ ...visitas, tab: 'Saída', value: 'Última página', none: '(sem caminho)', all: 'Todas as páginas de saída' },
    others: (n, text) => counted(n, text, 'outra página', 'outras páginas'),
  },
  outbound: {
    ...{ tab: 'Links externos', value: 'Link', count: 'Cliques', none: '(nenhum)', all: 'Todos os links externos' },
    others: (n, text) => counted(n, text, 'outro link', 'outros links'),
    empty:
      'Nenhum clique em links para outros sites neste período. Eles são contados onde a captura automática está ligada.',
  },
  channel: {
    ...{ ...visitas, tab: 'Canais', value: 'Canal', none: '(desconhecido)', all: 'Todos os canais' },
    others: (n, text) => counted(n, text, 'outro canal', 'outros canais'),
  },
  referringDomain: {
    ...{ ...visitas, tab: 'Origens', value: 'Domínio', none: 'Direto / nenhum', all: 'Todos os domínios de origem' },
    others: (n, text) => counted(n, text, 'outro domínio', 'outros domínios'),
  },
  utmSource: campanhas('Fonte', 'Todas as fontes de campanhas', 'outra fonte', 'outras fontes'),
  utmMedium: campanhas('Mídia', 'Todas as mídias de campanhas', 'outra mídia', 'outras mídias'),
  utmCampaign: campanhas('Campanha', 'Todas as campanhas', 'outra campanha', 'outras campanhas'),
  utmTerm: campanhas('Termo', 'Todos os termos de campanhas', 'outro termo', 'outros termos'),
  utmContent: campanhas('Conteúdo', 'Todos os conteúdos de campanhas', 'outro conteúdo', 'outros conteúdos'),
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
    ...{ ...visitas, tab: 'Aparelhos', value: 'Aparelho', none: '(desconhecido)', all: 'Todos os aparelhos' },
    others: (n, text) => counted(n, text, 'outro aparelho', 'outros aparelhos'),
  },
  browser: {
    ...{ ...visitas, tab: 'Navegadores', value: 'Navegador', none: '(desconhecido)', all: 'Todos os navegadores' },
    others: (n, text) => counted(n, text, 'outro navegador', 'outros navegadores'),
  },
  system: {
    ...{ ...visitas, tab: 'Sistemas', value: 'Sistema', none: '(desconhecido)', all: 'Todos os sistemas' },
    others: (n, text) => counted(n, text, 'outro sistema', 'outros sistemas'),
  },
  screenSize: {
    ...{
      ...visitas,
      tab: 'Telas',
      value: 'Largura da janela',
      none: '(desconhecida)',
      all: 'Todas as larguras de janela',
    },
    others: (n, text) => counted(n, text, 'outra largura', 'outras larguras'),
  },
  event: {
    ...{ tab: 'Eventos', value: 'Evento', count: 'Quantidade', none: '(sem nome)', all: 'Todos os eventos' },
    others: (n, text) => counted(n, text, 'outro evento', 'outros eventos'),
    empty: 'Nenhum evento neste período.',
  },
};

const ptBR: typeof en = {
  tables: tabelas,
  figures: {
    bounceRate: 'Rejeição',
    exitRate: 'Saída',
    timeOnPage: 'Tempo na página',
    scrollDepth: 'Rolagem',
    duration: 'Duração',
    conversions: 'Conversões',
    conversionRate: 'Taxa',
    converted: 'Com conversão',
    convertedRate: 'Das visitas',
  },
  channels: {
    'Cross Network': 'Várias redes',
    'Paid Search': 'Busca paga',
    'Paid Social': 'Rede social paga',
    'Paid Video': 'Vídeo pago',
    'Paid Shopping': 'Compras pagas',
    'Paid Other': 'Outros pagos',
    Display: 'Display',
    Direct: 'Direto',
    'Organic Search': 'Busca orgânica',
    'Organic Social': 'Rede social orgânica',
    'Organic Video': 'Vídeo orgânico',
    'Organic Shopping': 'Compras orgânicas',
    AI: 'IA',
    Affiliate: 'Afiliados',
    Referral: 'Outros sites',
    Email: 'E-mail',
    Audio: 'Áudio',
    SMS: 'SMS',
    Push: 'Notificação push',
    Other: 'Outros',
  },
  devices: { Mobile: 'Celular', Desktop: 'Computador', Tablet: 'Tablet', Wearable: 'Vestível' },
  widths: {
    '0-575': 'Até 575 px',
    '576-991': '576 a 991 px',
    '992-1439': '992 a 1.439 px',
    '1440+': '1.440 px ou mais',
  },
  cards: {
    pages: 'Páginas',
    sources: 'Origens',
    places: 'Lugares',
    tech: 'Aparelhos e programas',
    done: 'O que foi feito',
  },
  campaigns: 'Campanhas',
  parameter: 'Parâmetro do endereço',
  csv: 'CSV',
  download: 'Baixar esta tabela em CSV',
  visitors: 'Visitantes',
  people: 'Pessoas',
  share: 'Fatia',
  before: 'Antes',
  change: 'Variação',
  details: 'Detalhes',
  find: 'Procurar nesta tabela',
  noMatch: (text) => `Nada aqui contém “${text}”.`,
  rows: (n, text) => counted(n, text, 'linha', 'linhas'),
  sortBy: (column) => `Ordenar por ${column}`,
  pages: 'Páginas da tabela',
  previous: 'Anteriores',
  next: 'Próximas',
  span: (from, to, all) => `${from}–${to} de ${all}`,
  tick: 'A marca sobre a barra é o período anterior.',
};

export type TableWords = typeof en;
export const tableWords: Part<TableWords> = { en, 'pt-BR': ptBR };
