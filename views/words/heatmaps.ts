/** The screen of heatmaps. */
import type { HeatmapShow, WidthClass } from '#src/replays/heatmaps/values.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Heatmaps',
  open: 'Heatmaps',
  page: 'Page',
  pageHint: 'Page, * matches anything',
  anyHost: 'All hosts',
  host: 'Host',
  find: 'Show',
  width: 'Screen size',
  widths: {
    desktop: 'Desktop (from 1024 px)',
    tablet: 'Tablet (576–1023 px)',
    phone: 'Phone (up to 575 px)',
  } satisfies Record<WidthClass, string>,
  show: 'Show',
  shows: {
    click: 'Clicks',
    rage: 'Rage clicks',
    dead: 'Dead clicks',
    scroll: 'Scroll depth',
  } satisfies Record<HeatmapShow, string>,
  clicks: (n: number, text: string) => counted(n, text, 'click', 'clicks'),
  rage: (n: number, text: string) => counted(n, text, 'rage click', 'rage clicks'),
  dead: (n: number, text: string) => counted(n, text, 'dead click', 'dead clicks'),
  views: (n: number, text: string) => counted(n, text, 'view with scroll depth', 'views with scroll depth'),
  stage: (page: string) => `Heatmap of ${page}`,
  few: 'Few',
  many: 'Many',
  scale: (most: string) => `Up to ${most} in one place`,
  noneReached: '0%',
  allReached: '100% of views',
  reached: (share: string) => `${share} of views`,
  cut: (text: string) => `The ${text} busiest places are drawn.`,
  pages: 'Pages by clicks',
  /** The list is cut. */
  mostClicked: (n: string) => `The ${n} pages with the most clicks. Search for others by their path.`,
  columns: { page: 'Page', clicks: 'Clicks', rage: 'Rage', dead: 'Dead' },
  loading: 'Drawing the page…',
  over: (date: string) => `Drawn over a recording from ${date}.`,
  watch: 'Watch recording',
  noRecording: 'No recording shows this page at this screen size, so only the clicks are drawn.',
  failed: 'The recording couldn’t be loaded. Only the clicks are drawn.',
  hidden: 'You can’t watch recordings in this project, so only the clicks are drawn.',
  off: 'Heatmaps are off',
  offText:
    'They show where visitors click and how far they scroll. Turn them on in the settings; your site needs no change.',
  offMember:
    'They show where visitors click and how far they scroll. An admin can turn them on in the project settings.',
  none: 'No clicks in this period',
  noneText:
    'Heatmaps are on. Clicks appear here seconds after they happen, for visits that load your site from now on.',
  nothing: 'No clicks on this page.',
  nothingText: 'Choose another page, screen size or period.',
  settings: 'Collection settings',
};

const ptBR: typeof en = {
  title: 'Mapas de calor',
  open: 'Mapas de calor',
  page: 'Página',
  pageHint: 'Página, * vale qualquer texto',
  anyHost: 'Todos os hosts',
  host: 'Host',
  find: 'Mostrar',
  width: 'Tamanho da tela',
  widths: {
    desktop: 'Desktop (a partir de 1024 px)',
    tablet: 'Tablet (576–1023 px)',
    phone: 'Celular (até 575 px)',
  },
  show: 'Mostrar',
  shows: { click: 'Cliques', rage: 'Cliques de raiva', dead: 'Cliques mortos', scroll: 'Rolagem' },
  clicks: (n, text) => counted(n, text, 'clique', 'cliques'),
  rage: (n, text) => counted(n, text, 'clique de raiva', 'cliques de raiva'),
  dead: (n, text) => counted(n, text, 'clique morto', 'cliques mortos'),
  views: (n, text) => counted(n, text, 'visualização com rolagem', 'visualizações com rolagem'),
  stage: (page) => `Mapa de calor de ${page}`,
  few: 'Poucos',
  many: 'Muitos',
  scale: (most) => `Até ${most} em um ponto`,
  noneReached: '0%',
  allReached: '100% das visualizações',
  reached: (share) => `${share} das visualizações`,
  cut: (text) => `Exibindo os ${text} pontos com mais cliques.`,
  pages: 'Páginas por cliques',
  mostClicked: (n) => `As ${n} páginas com mais cliques. Busque outras pelo caminho.`,
  columns: { page: 'Página', clicks: 'Cliques', rage: 'Raiva', dead: 'Mortos' },
  loading: 'Desenhando a página…',
  over: (date) => `Sobre uma gravação de ${date}.`,
  watch: 'Assistir à gravação',
  noRecording: 'Nenhuma gravação mostra esta página neste tamanho de tela. Só os cliques são exibidos.',
  failed: 'Não foi possível carregar a gravação. Só os cliques são exibidos.',
  hidden: 'Você não pode assistir às gravações deste projeto. Só os cliques são exibidos.',
  off: 'Os mapas de calor estão desativados',
  offText:
    'Eles mostram onde os visitantes clicam e até onde rolam a página. Ative nas configurações; seu site não precisa de mudanças.',
  offMember:
    'Eles mostram onde os visitantes clicam e até onde rolam a página. Um administrador pode ativá-los nas configurações do projeto.',
  none: 'Nenhum clique neste período',
  noneText:
    'Os mapas de calor estão ativos. Os cliques aparecem aqui em segundos, nas visitas que carregarem seu site a partir de agora.',
  nothing: 'Nenhum clique nesta página.',
  nothingText: 'Escolha outra página, tamanho de tela ou período.',
  settings: 'Configurar coleta',
};

export const heatmapWords: Part<typeof en> = { en, 'pt-BR': ptBR };
