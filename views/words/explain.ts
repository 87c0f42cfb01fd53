/** Words for how the numbers of the Overview are counted. */
import type { Explained } from '#src/insights/explain/contract.ts';
import { regras, rules } from './explain-rules.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const perVisit = (what: string) =>
  `Visits that began in the period and hold a page view, by ${what}. The table adds up to the visits of the period. Visitors are the people of those visits.`;
const campaign = (name: string) =>
  perVisit(`${name} of the address they were entered with, without regard to capital letters`);

const definitions: Record<Exclude<Explained, 'bounceRate'>, string> = {
  visitors:
    'People with at least one page view or screen in the period. A person with several devices or ids counts once, also for the time before they signed in.',
  visits:
    'Visits that began in the period and hold at least one page view or screen. A visit ends after 30 minutes without activity or after 24 hours; midnight does not end it.',
  views: 'Page views and screens that happened in the period.',
  viewsPerVisit: 'Views of the visits that began in the period, divided by those visits.',
  visitDuration:
    'The time from the first to the last event of each visit, added up and divided by all visits. Visits of 0 seconds count.',
  page: 'Page views and screens by their path, and by host where pages of several are in the period. Visitors are the people who saw the page.',
  entryPage: perVisit('the path of their first view'),
  exitPage: perVisit('the path of their last view'),
  outbound: 'Recorded clicks on links to other sites, by the address they led to.',
  channel: perVisit('where they came from: referrer, campaign and click ids of their first event, by fixed rules'),
  referringDomain: perVisit('the site that linked to their first page; your own sites count as none'),
  utmSource: campaign('the source (utm_source)'),
  utmMedium: campaign('the medium (utm_medium)'),
  utmCampaign: campaign('the campaign (utm_campaign)'),
  utmTerm: campaign('the term (utm_term)'),
  utmContent: campaign('the content (utm_content)'),
  country: perVisit('the country of the address they came from'),
  language: perVisit('the language of the browser'),
  timeZone: perVisit('the time zone of the device'),
  deviceType: perVisit('the kind of device'),
  browser: perVisit('the browser'),
  system: perVisit('the operating system'),
  screenSize: perVisit('the width of the window'),
  event: 'All events of the period by their name, whatever they are. People are those who did it.',
  goal: 'How often each goal was reached in the period, and the rate: visitors of the period who reached it, divided by all visitors. Filters on events have to be fulfilled by a view, and by the event of the goal itself. Rules work on the past as well. Last reached, where it is said: the newest day of the last 90, whatever the period and the filters.',
  conversions:
    'Events of the period that fulfil the rule of the goal, each once. Filters on events hold for these events themselves. The people are those who did them, with or without a page view.',
  conversionRate:
    'Visitors of the period who reached the goal in it, at least once, divided by all visitors under the same filters. Filters on events have to be fulfilled by a view, and by the event of the goal itself. Who reached it without a page view is in neither.',
  revenue:
    'The amounts that conversions of the goal say, in this currency, added up to the ten-thousandth. Amounts that are no number count as none; nothing is converted from one currency into another.',
  hours:
    'For each hour of the week, in the time zone of the project: the people with a page view or screen in it, each once however many weeks there are, and the views.',
  vitals:
    'What browsers measured on the pages of the period. Three of four measurements are at most the 75th percentile, nine of ten the 90th, 99 of 100 the 99th; between two measurements it lies in proportion.',
};

const byVisit: Record<'goal' | 'conversionRate', string> = {
  goal: 'How often each goal was reached in the period, and the rate by visit: visits that began in the period and in which it was reached, divided by all visits. Filters on events have to be fulfilled by a view, and by the event of the goal itself. Rules work on the past as well. Last reached, where it is said: the newest day of the last 90, whatever the period and the filters.',
  conversionRate:
    'Visits that began in the period and in which the goal was reached, at least once, divided by all visits under the same filters. Filters on events have to be fulfilled by a view of the visit, and by the event of the goal itself, whenever in the visit each was. Events that belong to no visit are in neither.',
};

const en = {
  close: 'Close',
  definitions,
  /** By the project's setting. */
  bounceRate: (n: number, text: string) =>
    `Visits with a single page view, no recorded click and less than ${counted(n, text, 'second', 'seconds')}, divided by all visits with a page view.`,
  byVisit,
  left: 'Left out',
  counted: {
    views: (n: number, text: string) => counted(n, text, 'view', 'views'),
    events: (n: number, text: string) => counted(n, text, 'event', 'events'),
  },
  bots: (what: string) => `${what} by bots`,
  botsIn: 'Bots are counted in',
  internal: (what: string) => `${what} of your own team`,
  internalIn: 'Your own team is counted in',
  filters: (what: string) => `${what} by the filters`,
  withoutVisit: {
    views: (n: number, text: string) =>
      `${counted(n, text, 'view that belongs', 'views that belong')} to no visit, such as those sent by servers`,
    events: (n: number, text: string) =>
      `${counted(n, text, 'event that belongs', 'events that belong')} to no visit, such as those sent by servers, out of the rate`,
  },
  elsewhere: 'By other rules, on the same events',
  rules,
  sql: 'SQL for the database of this installation',
  before: 'The same of the range compared with',
  sqlBefore: 'SQL of the range compared with',
  further: {
    pages: [
      'Bounce rate: bounces among the visits that were entered with the page.',
      'Exit rate: visits that ended with the page, divided by its views.',
      'Time on page: from the view to leaving the page or to the next view in the same window, at most 30 minutes. Views without an end are left out.',
      'Scroll depth: the mean of the largest share of the page that was seen.',
      'For time on page and scroll depth, filters on path, host and address hold for the page itself, those on other properties of events for what ended its view. Where an address says more than host and path, the views that ended by leaving the page tell.',
    ],
    visits: [
      'Bounce rate: bounces among the visits of the row.',
      'Duration: the length of the visits of the row, added up and divided by them.',
    ],
    reached: {
      pages: [
        'Conversions: events on the page that fulfil the rule of the goal.',
        'Rate: visitors of the page who reached the goal on it, divided by all visitors of the page.',
      ],
      visits: [
        'Converted: visits of the row in which the goal was reached, whenever in the visit.',
        'Of visits: these visits, divided by all visits of the row.',
      ],
    },
  },
  events: 'See these events',
  sqlNote: 'It gives the same number from the rows, without what this page keeps ready. Large periods take it a while.',
};

const porVisita = (what: string) =>
  `Visitas que começaram no período e têm ao menos uma página vista, por ${what}. A soma da tabela são as visitas do período. Visitantes são as pessoas dessas visitas.`;
const campanha = (name: string) => porVisita(`${name} do endereço de entrada, sem distinguir maiúsculas`);

const definicoes: typeof definitions = {
  visitors:
    'Pessoas com ao menos uma página vista ou tela no período. Quem usa vários aparelhos ou identificadores conta uma vez só, também no tempo antes de entrar na conta.',
  visits:
    'Visitas que começaram no período e têm ao menos uma página vista ou tela. Uma visita termina após 30 minutos sem atividade ou após 24 horas; a meia-noite não a encerra.',
  views: 'Páginas vistas e telas que aconteceram no período.',
  viewsPerVisit: 'Páginas vistas nas visitas que começaram no período, divididas por essas visitas.',
  visitDuration:
    'O tempo do primeiro ao último evento de cada visita, somado e dividido por todas as visitas. Visitas de 0 segundo contam.',
  page: 'Páginas vistas e telas por caminho, e por host quando há páginas de vários no período. Visitantes são as pessoas que viram a página.',
  entryPage: porVisita('caminho da primeira página vista'),
  exitPage: porVisita('caminho da última página vista'),
  outbound: 'Cliques registrados em links para outros sites, pelo endereço de destino.',
  channel: porVisita('origem: referência, campanha e identificadores de clique do primeiro evento, por regras fixas'),
  referringDomain: porVisita('site que trouxe à primeira página; os seus próprios sites contam como nenhum'),
  utmSource: campanha('fonte (utm_source)'),
  utmMedium: campanha('mídia (utm_medium)'),
  utmCampaign: campanha('campanha (utm_campaign)'),
  utmTerm: campanha('termo (utm_term)'),
  utmContent: campanha('conteúdo (utm_content)'),
  country: porVisita('país do endereço de onde vieram'),
  language: porVisita('idioma do navegador'),
  timeZone: porVisita('fuso horário do aparelho'),
  deviceType: porVisita('tipo de aparelho'),
  browser: porVisita('navegador'),
  system: porVisita('sistema operacional'),
  screenSize: porVisita('largura da janela'),
  event: 'Todos os eventos do período por nome, sejam quais forem. Pessoas são as que fizeram o evento.',
  goal: 'Quantas vezes cada meta foi alcançada no período, e a taxa: visitantes do período que a alcançaram, divididos por todos os visitantes. Filtros de eventos precisam ser atendidos por uma página vista e pelo próprio evento da meta. As regras valem também para o passado. Última vez, onde aparece: o dia mais recente dos últimos 90, sejam quais forem o período e os filtros.',
  conversions:
    'Eventos do período que cumprem a regra da meta, cada um uma vez. Filtros de eventos valem para esses próprios eventos. As pessoas são as que os fizeram, com ou sem página vista.',
  conversionRate:
    'Visitantes do período que alcançaram a meta nele, ao menos uma vez, divididos por todos os visitantes sob os mesmos filtros. Filtros de eventos precisam ser atendidos por uma página vista e pelo próprio evento da meta. Quem a alcançou sem página vista não entra em nenhum dos dois.',
  revenue:
    'Os valores que as conversões da meta informam nesta moeda, somados até o décimo de milésimo. O que não é número não conta; nada é convertido de uma moeda para outra.',
  hours:
    'Para cada hora da semana, no fuso do projeto: as pessoas com página vista ou tela nela, cada uma uma vez, por mais semanas que haja, e as páginas vistas.',
  vitals:
    'O que os navegadores mediram nas páginas do período. Três de cada quatro medições ficam até o percentil 75, nove de cada dez até o 90, 99 de cada 100 até o 99; entre duas medições, ele fica na proporção.',
};

const porVisitas: typeof byVisit = {
  goal: 'Quantas vezes cada meta foi alcançada no período, e a taxa por visita: visitas que começaram no período e em que ela foi alcançada, divididas por todas as visitas. Filtros de eventos precisam ser atendidos por uma página vista e pelo próprio evento da meta. As regras valem também para o passado. Última vez, onde aparece: o dia mais recente dos últimos 90, sejam quais forem o período e os filtros.',
  conversionRate:
    'Visitas que começaram no período e em que a meta foi alcançada, ao menos uma vez, divididas por todas as visitas sob os mesmos filtros. Filtros de eventos precisam ser atendidos por uma página vista da visita e pelo próprio evento da meta, em qualquer momento da visita. Eventos que não pertencem a nenhuma visita não entram em nenhuma das duas.',
};

const ptBR: typeof en = {
  close: 'Fechar',
  definitions: definicoes,
  bounceRate: (n, text) =>
    `Visitas com uma única página vista, sem clique registrado e com menos de ${counted(n, text, 'segundo', 'segundos')}, divididas por todas as visitas com página vista.`,
  byVisit: porVisitas,
  left: 'Fora da conta',
  counted: {
    views: (n, text) => counted(n, text, 'página vista', 'páginas vistas'),
    events: (n, text) => counted(n, text, 'evento', 'eventos'),
  },
  bots: (what) => `${what} de robôs`,
  botsIn: 'Os robôs entram na conta',
  internal: (what) => `${what} da sua própria equipe`,
  internalIn: 'A sua própria equipe entra na conta',
  filters: (what) => `${what} por causa dos filtros`,
  withoutVisit: {
    views: (n, text) =>
      `${counted(n, text, 'página vista que não pertence', 'páginas vistas que não pertencem')} a nenhuma visita, como as enviadas por servidores`,
    events: (n, text) =>
      `${counted(n, text, 'evento que não pertence', 'eventos que não pertencem')} a nenhuma visita, como os enviados por servidores, fora da taxa`,
  },
  elsewhere: 'Por outras regras, com os mesmos eventos',
  rules: regras,
  sql: 'SQL para o banco de dados desta instalação',
  before: 'O mesmo para o período comparado',
  sqlBefore: 'SQL do período comparado',
  further: {
    pages: [
      'Taxa de rejeição: rejeições entre as visitas que entraram por esta página.',
      'Taxa de saída: visitas que terminaram nesta página, divididas pelas suas visualizações.',
      'Tempo na página: da visualização até a saída ou até a próxima página na mesma janela, no máximo 30 minutos. Visualizações sem fim conhecido ficam de fora.',
      'Rolagem: a média da maior parte da página que foi vista.',
      'Para o tempo na página e a rolagem, filtros de caminho, host e endereço valem para a própria página; os de outras propriedades de eventos, para o que encerrou a visualização. Quando um endereço diz mais que host e caminho, valem as visualizações que terminaram com a saída da página.',
    ],
    visits: [
      'Taxa de rejeição: rejeições entre as visitas da linha.',
      'Duração: a duração das visitas da linha, somada e dividida por elas.',
    ],
    reached: {
      pages: [
        'Conversões: eventos na página que cumprem a regra da meta.',
        'Taxa: visitantes da página que nela alcançaram a meta, divididos por todos os visitantes da página.',
      ],
      visits: [
        'Com conversão: visitas da linha em que a meta foi alcançada, em qualquer momento da visita.',
        'Das visitas: essas visitas, divididas por todas as visitas da linha.',
      ],
    },
  },
  events: 'Ver estes eventos',
  sqlNote:
    'Dá o mesmo número a partir das linhas, sem o que esta página já tem pronto. Em períodos longos, demora um pouco.',
};

export const explainWords: Part<typeof en> = { en, 'pt-BR': ptBR };
