/** Words for how the numbers of the Overview are counted. */
import type { Explained } from '#src/insights/explain/contract.ts';
import { regras, rules } from './explain-rules.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const perVisit = (what: string) =>
  `Visits that started in the period and have a page view or screen, by ${what}. Rows add up to total visits. Visitors: unique people with a view in the period in a visit of the row, even if the visit started before.`;
const campaign = (name: string) => perVisit(`${name} of the entry URL (case-insensitive)`);

const definitions: Record<Exclude<Explained, 'bounceRate'>, string> = {
  visitors:
    'Unique people with at least one page view or screen in the period. A person with several devices or IDs counts once, including activity from before they were identified.',
  visits:
    'Visits that started in the period and have at least one page view or screen. A visit ends after 30 minutes of inactivity or after 24 hours, not at midnight.',
  views: 'Page views and screens in the period.',
  viewsPerVisit:
    'All views in visits that started in the period, divided by the number of these visits. A visit keeps its views after the end of the period and, with a filter, its views of other pages, so this isn’t page views divided by visits.',
  visitDuration: 'Average time from first to last event, over all visits. Visits of 0 seconds are included.',
  page: 'Page views and screens by path, and by host if the period contains several. Visitors: unique people who viewed the page.',
  entryPage: perVisit('path of the first view'),
  exitPage: perVisit('path of the last view'),
  outbound: 'Recorded clicks on links to other sites, by destination URL.',
  source: perVisit('source: utm_source of the entry URL, otherwise the referring domain, with known services by name'),
  channel: perVisit('channel (fixed classification of the first event’s referrer, UTM parameters and click IDs)'),
  referringDomain: perVisit('referring domain of the first page (your own domains never count)'),
  utmSource: campaign('source (utm_source)'),
  utmMedium: campaign('medium (utm_medium)'),
  utmCampaign: campaign('campaign (utm_campaign)'),
  utmTerm: campaign('term (utm_term)'),
  utmContent: campaign('content (utm_content)'),
  country: perVisit('country of the IP address'),
  region: perVisit(
    'region of the IP address (unknown without a city database or proxy headers, or if the project stores no IP address)',
  ),
  city: perVisit(
    'city of the IP address (unknown without a city database or proxy headers, or if the project stores no IP address)',
  ),
  language: perVisit('browser language'),
  timeZone: perVisit('device time zone'),
  deviceType: perVisit('device type'),
  browser: perVisit('browser'),
  os: perVisit('operating system'),
  viewportWidth: perVisit('screen size (viewport width)'),
  event: 'All events in the period, by name. People: unique people with that event.',
  goal: 'Conversions of each goal in the period. Conversion rate: visitors who converted, divided by all visitors. Event filters must match a page view and the goal event itself. Goals also count past events. Last conversion: most recent day in the last 90 days, regardless of period and filters.',
  conversions:
    'Events in the period that match the goal, each counted once. Event filters apply to the goal event itself. People: everyone with such an event, with or without a page view.',
  conversionRate:
    'Visitors who converted at least once in the period, divided by all visitors under the same filters. Event filters must match a page view and the goal event itself. People who converted without a page view count in neither number.',
  revenue:
    'Exact sum of the conversion amounts in this currency. Conversions without a readable amount are ignored. Currencies aren’t converted.',
  hours:
    'Unique visitors and page views for each hour of the week, in the project’s time zone. A person counts once per hour of the week, even over several weeks.',
  vitals:
    'Values measured by browsers on pages viewed in the period. 75% of measurements are at or below p75, 90% at or below p90, 99% at or below p99. Values between two measurements are interpolated linearly.',
};

const byVisit: Record<'goal' | 'conversionRate', string> = {
  goal: 'Conversions of each goal in the period. Conversion rate: visits that started in the period and include a conversion, divided by all visits. Event filters must match a page view and the goal event itself. Goals also count past events. Last conversion: most recent day in the last 90 days, regardless of period and filters.',
  conversionRate:
    'Visits that started in the period with at least one conversion, divided by all visits under the same filters. Event filters must match a page view of the visit and the goal event itself, in any order. Events without a visit count in neither number.',
};

const en = {
  definitions,
  /** With the project's bounce threshold. */
  bounceRate: (n: number, text: string) =>
    `Visits with a single page view or screen, no autocaptured interaction and a duration under ${counted(n, text, 'second', 'seconds')}, divided by all visits.`,
  byVisit,
  left: 'Excluded',
  counted: {
    views: (n: number, text: string) => counted(n, text, 'view', 'views'),
    events: (n: number, text: string) => counted(n, text, 'event', 'events'),
  },
  bots: (what: string) => `${what} from bots`,
  botsIn: 'Bots included',
  internal: (what: string) => `${what} from internal traffic`,
  internalIn: 'Internal traffic included',
  filters: (what: string) => `${what} not matching your filters`,
  withoutVisit: {
    views: (n: number, text: string) => `${counted(n, text, 'view', 'views')} without a visit, e.g. sent from a server`,
    events: (n: number, text: string) =>
      `${counted(n, text, 'event', 'events')} without a visit, e.g. sent from a server (excluded from the rate)`,
  },
  elsewhere: 'Same events, other tools’ definitions',
  rules,
  sql: 'SQL for this server’s database',
  before: 'Comparison period',
  sqlBefore: 'SQL for the comparison period',
  further: {
    pages: [
      'Bounce rate: share of visits entering on this page that bounced.',
      'Exit rate: visits that ended on this page, divided by its views.',
      'Time on page: from the view until the visitor leaves or views the next page in the same window, capped at 30 minutes. Views without a known end are excluded.',
      'Scroll depth: average of the deepest point reached per view, as a share of the page.',
      'For time on page and scroll depth, filters on path, host and URL apply to the page itself; filters on other event properties apply to the event that ended the view. If a URL filter uses more than host and path, only views that ended with a page leave count.',
    ],
    visits: ['Bounce rate: share of the row’s visits that bounced.', 'Duration: average duration of the row’s visits.'],
    reached: {
      pages: [
        'Conv. here: events on this page that match the goal.',
        'Conversion rate: visitors of the page who converted in the period, on any page, divided by all visitors of the page.',
      ],
      events: ['Conversion rate: people of the row who converted in the period, divided by all people of the row.'],
      visits: [
        'Converted visits: the row’s visits with a conversion at any time.',
        'Conversion rate (visits): converted visits divided by all visits of the row.',
      ],
    },
  },
  events: 'View events',
  sqlNote: 'Calculates the same number from raw rows, without precomputed data. Can be slow for long periods.',
};

const porVisita = (what: string) =>
  `Visitas iniciadas no período com pelo menos uma visualização de página ou tela, por ${what}. A soma da tabela é o total de visitas do período. Visitantes: pessoas com uma visualização no período em uma visita da linha, mesmo que iniciada antes.`;
const campanha = (name: string) => porVisita(`${name} da URL de entrada, sem diferenciar maiúsculas e minúsculas`);

const definicoes: typeof definitions = {
  visitors:
    'Pessoas únicas com pelo menos uma visualização de página ou tela no período. Quem usa vários dispositivos ou IDs conta uma vez, inclusive antes do login.',
  visits:
    'Visitas iniciadas no período com pelo menos uma visualização de página ou tela. A visita termina após 30 minutos sem atividade ou 24 horas; a meia-noite não a encerra.',
  views: 'Visualizações de página e de tela no período.',
  viewsPerVisit:
    'Todas as visualizações das visitas iniciadas no período, divididas pelo número dessas visitas. A visita mantém as visualizações após o fim do período e, com filtro, as de outras páginas; por isso, não é o total de visualizações dividido pelo de visitas.',
  visitDuration: 'Média do tempo entre o primeiro e o último evento de cada visita. Inclui visitas de 0 segundo.',
  page: 'Visualizações de página e tela por caminho, e por host quando há mais de um no período. Visitantes: pessoas que viram a página.',
  entryPage: porVisita('caminho da primeira visualização'),
  exitPage: porVisita('caminho da última visualização'),
  outbound: 'Cliques registrados em links para outros sites, por URL de destino.',
  source: porVisita(
    'origem: utm_source da URL de entrada ou, sem ele, o domínio de referência; serviços conhecidos aparecem pelo nome',
  ),
  channel: porVisita('canal (referência, campanha e IDs de clique do primeiro evento, segundo regras fixas)'),
  referringDomain: porVisita('domínio de referência da primeira página (seus próprios domínios não contam)'),
  utmSource: campanha('origem (utm_source)'),
  utmMedium: campanha('mídia (utm_medium)'),
  utmCampaign: campanha('campanha (utm_campaign)'),
  utmTerm: campanha('termo (utm_term)'),
  utmContent: campanha('conteúdo (utm_content)'),
  country: porVisita('país do endereço IP'),
  region: porVisita(
    'estado ou região do endereço IP (desconhecido sem banco de cidades ou cabeçalhos do proxy, ou se o projeto não armazena o IP)',
  ),
  city: porVisita(
    'cidade do endereço IP (desconhecida sem banco de cidades ou cabeçalhos do proxy, ou se o projeto não armazena o IP)',
  ),
  language: porVisita('idioma do navegador'),
  timeZone: porVisita('fuso horário do dispositivo'),
  deviceType: porVisita('tipo de dispositivo'),
  browser: porVisita('navegador'),
  os: porVisita('sistema operacional'),
  viewportWidth: porVisita('tamanho da tela (largura da janela)'),
  event: 'Todos os eventos do período, por nome. Pessoas: quem realizou o evento.',
  goal: 'Conversões de cada meta no período e taxa de conversão: visitantes que converteram ÷ total de visitantes. Filtros de evento precisam ser atendidos por uma visualização e pelo evento da meta. Eventos passados também contam. Última conversão: o dia mais recente dos últimos 90, sem considerar período e filtros.',
  conversions:
    'Eventos do período que atendem à regra da meta, uma vez cada. Filtros de evento se aplicam a esses eventos. Pessoas: quem converteu, com ou sem visualização de página.',
  conversionRate:
    'Visitantes que converteram pelo menos uma vez no período ÷ total de visitantes, com os mesmos filtros. Filtros de evento precisam ser atendidos por uma visualização e pelo evento da meta. Quem converteu sem visualização fica fora dos dois números.',
  revenue:
    'Soma exata dos valores das conversões da meta nesta moeda. Conversões sem valor legível são ignoradas. Não há conversão entre moedas.',
  hours:
    'Para cada hora da semana, no fuso do projeto: visitantes únicos e visualizações. Quem volta em outra semana conta uma vez.',
  vitals:
    'Medições dos navegadores nas páginas do período. O percentil 75 é o valor que 75% das medições não ultrapassam; o mesmo vale para os percentis 90 e 99. Entre duas medições, o valor é interpolado.',
};

const porVisitas: typeof byVisit = {
  goal: 'Conversões de cada meta no período e taxa por visita: visitas iniciadas no período com conversão ÷ todas as visitas. Filtros de evento precisam ser atendidos por uma visualização e pelo evento da meta. Eventos passados também contam. Última conversão: o dia mais recente dos últimos 90, sem considerar período e filtros.',
  conversionRate:
    'Visitas iniciadas no período com pelo menos uma conversão ÷ todas as visitas, com os mesmos filtros. Filtros de evento precisam ser atendidos por uma visualização da visita e pelo evento da meta, em qualquer momento. Eventos sem visita ficam fora dos dois números.',
};

const ptBR: typeof en = {
  definitions: definicoes,
  bounceRate: (n, text) =>
    `Visitas com uma única visualização de página ou tela, sem interação capturada automaticamente e com menos de ${counted(n, text, 'segundo', 'segundos')} ÷ todas as visitas.`,
  byVisit: porVisitas,
  left: 'Excluídos da métrica',
  counted: {
    views: (n, text) => counted(n, text, 'visualização', 'visualizações'),
    events: (n, text) => counted(n, text, 'evento', 'eventos'),
  },
  bots: (what) => `${what} de bots`,
  botsIn: 'Inclui bots',
  internal: (what) => `${what} de tráfego interno`,
  internalIn: 'Inclui tráfego interno',
  filters: (what) => `${what} pelos filtros`,
  withoutVisit: {
    views: (n, text) =>
      `${counted(n, text, 'visualização', 'visualizações')} sem visita, como as enviadas por servidores`,
    events: (n, text) =>
      `${counted(n, text, 'evento', 'eventos')} sem visita, como os enviados por servidores (fora da taxa)`,
  },
  elsewhere: 'Em outras ferramentas, com os mesmos eventos',
  rules: regras,
  sql: 'SQL para o banco de dados desta instalação',
  before: 'Mesma métrica no período comparado',
  sqlBefore: 'SQL do período comparado',
  further: {
    pages: [
      'Taxa de rejeição: rejeições ÷ visitas que entraram por esta página.',
      'Taxa de saída: visitas que terminaram nesta página ÷ suas visualizações.',
      'Tempo na página: da visualização até a saída ou a próxima página na mesma janela, até 30 minutos. Visualizações sem fim registrado são excluídas.',
      'Profundidade de rolagem: média da maior parte da página vista.',
      'No tempo na página e na rolagem, filtros de caminho, host e URL se aplicam à própria página; os demais filtros de evento, ao evento que encerrou a visualização. Se a URL filtrada vai além de host e caminho, contam as visualizações encerradas pela saída da página.',
    ],
    visits: ['Taxa de rejeição: rejeições ÷ visitas da linha.', 'Duração: média da duração das visitas da linha.'],
    reached: {
      pages: [
        'Conv. aqui: eventos na página que atendem à regra da meta.',
        'Taxa: visitantes da página que converteram no período, em qualquer página ÷ visitantes da página.',
      ],
      events: ['Taxa: pessoas da linha que converteram no período ÷ pessoas da linha.'],
      visits: [
        'Com conversão: visitas da linha em que houve conversão, em qualquer momento.',
        'Taxa por visita: essas visitas ÷ todas as visitas da linha.',
      ],
    },
  },
  events: 'Ver estes eventos',
  sqlNote: 'Calcula o mesmo número a partir dos eventos, sem usar o cache desta página. Períodos longos podem demorar.',
};

export const explainWords: Part<typeof en> = { en, 'pt-BR': ptBR };
