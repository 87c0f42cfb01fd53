/** Words for how the numbers of screens other than the Overview are counted. */
import type { ExplainedScreen, LeftOut, screenFigures } from '#src/insights/explain/contract.ts';
import { keptWords } from './explain-kept.ts';
import type { ExplainedWords } from './explained.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

/** A screen, or `now`: for those who see only the number of people online. */
type ExplainedKey = ExplainedScreen | 'now';
type Figure = (typeof screenFigures)[ExplainedScreen][number];

/** Other products' definitions of current visitors. */
const nowRules: Part<(value: string) => string[]> = {
  en: (value) => ['Plausible also uses a 5-minute window.', `GA4 defaults to users in the last 30 minutes: ${value}.`],
  'pt-BR': (value) => [
    'O Plausible também considera os últimos 5 minutos.',
    `O GA4 mostra primeiro os usuários dos últimos 30 minutos: ${value}.`,
  ],
};

const en = {
  left: 'Excluded',
  elsewhere: 'Same events, other tools’ definitions',
  sql: (of: string, time: string) => `SQL at ${time}: ${of}`,
  figures: {
    now: 'people online, events per minute, delivery delay',
    minutes: 'people by minute',
    pages: 'current pages',
    sources: 'current sources',
    outcomes: 'ingestion results',
    problems: 'warnings and dropped events',
    people: 'people',
    person: 'first seen, last seen, visits, views, events',
    events: 'events by name',
    properties: 'events by property',
    visits: 'visits, newest first',
    ids: 'IDs',
    week: 'visitors by project and day',
    present: 'people online by project',
    database: 'database size',
    sizes: 'size by kind of data',
    projects: 'projects',
    jobs: 'background jobs',
    passed: 'forwarded requests',
    queue: 'queued requests',
    stored: 'stored events',
    older: 'events past retention',
    listed: 'listed events',
    files: 'files',
    receipts: 'receipts',
    retention: 'retention',
  } satisfies Record<Figure, string> as Record<Figure, string>,
  leftOut: {
    bots: (n: number, text: string) => counted(n, text, 'bot event', 'bot events'),
    internal: (n: number, text: string) => counted(n, text, 'internal event', 'internal events'),
    botViews: (n: number, text: string) => counted(n, text, 'bot view', 'bot views'),
    teamViews: (n: number, text: string) => counted(n, text, 'internal view', 'internal views'),
    withoutProfile: (n: number, text: string) =>
      counted(n, text, 'visitor without a profile', 'visitors without a profile'),
    merged: (n: number, text: string) =>
      `${counted(n, text, 'merged person', 'merged people')}, counted with the person they were merged into`,
    visitsWithoutView: (n: number, text: string) =>
      counted(n, text, 'visit without a page view or screen', 'visits without a page view or screen'),
  } satisfies Record<LeftOut, unknown>,
  screens: {
    ...keptWords.en,
    home: {
      definitions: [
        'Visitors today: unique people with at least one page view or screen since midnight in the project’s time zone, after merges. The line shows the last 7 days. Same number as in Overview.',
        'Online now: unique people with any event in the last 5 minutes, after merges.',
        'Projects without events show no metrics.',
      ],
      rules: () => ['Plausible also counts daily visitors. GA4 counts browsers by cookie.'],
    },
    now: {
      definitions: [
        'Unique people with any event in the last 5 minutes, after merges. Excludes bots and internal traffic. Ignores filters.',
      ],
      rules: nowRules.en,
    },
    live: {
      definitions: [
        'People online: unique people with any event in the last 5 minutes, after merges. Excludes bots and internal traffic.',
        'Events per minute: all events in the last 5 full minutes, divided by 5.',
        'Delivery delay: median time from event to receipt over the last 5 minutes. Excludes imports.',
        'By minute: unique people in each of the last 30 minutes, by event time. Someone active for 3 minutes counts in each of them.',
        'Current pages: each person online counts once, on the page of their latest event that has one. Top 8.',
        'Current sources: source of the visit of each person’s latest event: the UTM source, otherwise the referring domain.',
      ],
      rules: nowRules.en,
    },
    ingestion: {
      definitions: [
        'Stored: events of this project committed to PostgreSQL in the last hour, by minute received. Duplicates are listed separately and stored once.',
        'Dropped: all other outcomes in the last hour. Each event has exactly one outcome, written in the same transaction.',
        'Write latency: time from receipt to commit over the last minute, as median (p50) and 99th percentile (p99), accurate to about 4%. Each process reports its own every 15 s (process_reports). Prometheus: luneta_commit_latency_ms, per process.',
        'Buffered on disk: events held while PostgreSQL is unavailable, as last reported by each process. Prometheus: luneta_spool_events, per process.',
        'Warnings: dropped events and warnings since the full hour 24 hours ago. An event stored with a warning isn’t dropped.',
        'Share: percentage of all events received in the hour, with any outcome.',
        'Background jobs: consecutive failures since the last success.',
        'Requests rejected as a whole belong to no project. Server administrators see them under Rejected requests (last hour, by minute, all projects and processes) and in Status (last day). Prometheus: luneta_ingest_refused_total, per process.',
      ],
    },
    people: {
      definitions: [
        'Identified: people with a profile, i.e. identified or with person properties. Each counts once, after merges. With a search or filter: those that match.',
        'All: also includes visitors with events but no profile. Lists over 5,000 people aren’t counted; run the SQL instead.',
        'Visits: visits with at least one page view or screen, across all of the person’s IDs, counted up to 1,000.',
        'Last seen: time of the latest event of any kind. First seen: when their first ID was received.',
      ],
      rules: () => [
        'PostHog also counts people with a profile.',
        'Plausible can’t recognize people across days. GA4 counts browsers by cookie.',
      ],
    },
    person: {
      definitions: [
        'Includes every ID merged into this person, except IDs split off later.',
        'First seen: when the first of these IDs was received. Last seen: time of the latest event of any kind.',
        'Visits: visits with at least one page view or screen. Views: page views and screens. Events: all events.',
        'Includes bot and internal traffic. Counts stop at 100,000.',
        'Per visit: all events, page views and screens, and the duration from first to last event.',
        'IDs: all current IDs of this person, primary ID first, then merged IDs.',
      ],
      rules: () => ['Plausible can’t recognize people across days. GA4 identifies browsers by cookie.'],
    },
    definitions: {
      definitions: [
        'Events by name: today and the previous 29 days (UTC), by event time. Includes bots and internal traffic.',
        'Events by property: events with a non-null value, set on the event or derived from its page, device, location or source.',
        'Window and device IDs ($window_id, $device_id) aren’t counted.',
        'Last seen: latest event with this name or property, updated hourly.',
      ],
      rules: () => ['PostHog also shows 30-day volume.'],
    },
  } satisfies Record<ExplainedKey, ExplainedWords> as Record<ExplainedKey, ExplainedWords>,
};

const ptBR: typeof en = {
  left: 'Excluídos da métrica',
  elsewhere: 'Em outras ferramentas, com os mesmos eventos',
  sql: (of, time) => `SQL às ${time}: ${of}`,
  figures: {
    now: 'pessoas, eventos por minuto e latência de recebimento',
    minutes: 'por minuto',
    pages: 'páginas agora',
    sources: 'origens agora',
    outcomes: 'resultado da ingestão',
    problems: 'avisos',
    people: 'pessoas',
    person: 'primeiro e último registro, visitas, visualizações e eventos',
    events: 'eventos por nome',
    properties: 'eventos por propriedade',
    visits: 'visitas, da mais recente à mais antiga',
    ids: 'IDs',
    week: 'visitantes por projeto e dia',
    present: 'pessoas online, por projeto',
    database: 'o banco de dados',
    sizes: 'tamanho por tipo de dado',
    projects: 'projetos',
    jobs: 'tarefas em segundo plano',
    passed: 'requisições encaminhadas',
    queue: 'fila',
    stored: 'eventos armazenados',
    older: 'além do prazo de retenção',
    listed: 'eventos da lista',
    files: 'arquivos',
    receipts: 'comprovantes',
    retention: 'retenção de dados',
  },
  leftOut: {
    bots: (n, text) => counted(n, text, 'evento de bots', 'eventos de bots'),
    internal: (n, text) => counted(n, text, 'evento de tráfego interno', 'eventos de tráfego interno'),
    botViews: (n, text) => counted(n, text, 'visualização de bots', 'visualizações de bots'),
    teamViews: (n, text) => counted(n, text, 'visualização de tráfego interno', 'visualizações de tráfego interno'),
    withoutProfile: (n, text) => counted(n, text, 'visitante sem perfil', 'visitantes sem perfil'),
    merged: (n, text) =>
      n === 1
        ? `${text} pessoa mesclada com outra: contam como uma`
        : `${text} pessoas mescladas com outras: contam como uma`,
    visitsWithoutView: (n, text) =>
      counted(n, text, 'visita sem visualização de página ou tela', 'visitas sem visualização de página ou tela'),
  },
  screens: {
    ...keptWords['pt-BR'],
    home: {
      definitions: [
        'Visitantes hoje: pessoas únicas com pelo menos uma visualização de página ou tela desde a meia-noite, no fuso do projeto. A linha mostra o mesmo para os últimos 7 dias; a Visão geral usa o mesmo número.',
        'Pessoas online: pessoas únicas com algum evento nos últimos 5 minutos.',
        'O projeto não mostra métricas até receber o primeiro evento.',
      ],
      rules: () => ['O Plausible também conta visitantes por dia; o GA4 conta navegadores por cookie.'],
    },
    now: {
      definitions: [
        'Pessoas únicas com algum evento nos últimos 5 minutos, sem bots nem tráfego interno. Ignora os filtros da tela.',
      ],
      rules: nowRules['pt-BR'],
    },
    live: {
      definitions: [
        'Pessoas: únicas, com algum evento nos últimos 5 minutos, sem bots nem tráfego interno.',
        'Eventos por minuto: eventos dos últimos 5 minutos completos, divididos por 5.',
        'Latência: mediana do tempo entre o evento acontecer e ser recebido, nos últimos 5 minutos. Importações excluídas.',
        'Por minuto: pessoas únicas em cada um dos últimos 30 minutos, pelo horário do evento. Quem fica 3 minutos aparece em 3 barras.',
        'Páginas agora: cada pessoa conta uma vez, na página do seu evento mais recente. Mostra as 8 com mais pessoas.',
        'Origens agora: origem da visita mais recente de cada pessoa: utm_source ou, sem ele, o site de referência.',
      ],
      rules: nowRules['pt-BR'],
    },
    ingestion: {
      definitions: [
        'Armazenados: eventos deste projeto gravados no PostgreSQL na última hora, pelo minuto de chegada. Duplicados contam à parte e são armazenados uma única vez.',
        'Descartados: todos os demais resultados da hora. Cada evento tem um único resultado, gravado junto com ele.',
        'Latência de gravação: p50 e p99 do tempo entre receber o evento e o commit, no último minuto, com margem de cerca de 4%. Cada processo mede a sua e grava a cada 15 segundos (process_reports); em /metrics: luneta_commit_latency_ms.',
        'Aguardando em disco: eventos mantidos pelos processos enquanto o PostgreSQL está indisponível, segundo o último relato; em /metrics: luneta_spool_events.',
        'Avisos: descartes e avisos das últimas 24 horas, a partir da hora cheia. Evento armazenado com aviso não é descarte.',
        '% do total: sobre todos os eventos da hora, com qualquer resultado.',
        'Tarefas em segundo plano: falhas seguidas desde o último sucesso.',
        'Requisições recusadas por inteiro não pertencem a nenhum projeto. O administrador deste servidor vê as da última hora em Requisições recusadas e as do último dia em Status; em /metrics: luneta_ingest_refused_total.',
      ],
    },
    people: {
      definitions: [
        'Pessoas com perfil: identificadas ou com propriedades. Pessoas mescladas contam uma vez. Com busca ou filtro, só as que correspondem.',
        '“Todas” inclui visitantes que só têm eventos. Acima de 5.000, a lista não mostra o total; o SQL mostra.',
        'Visitas: com pelo menos uma visualização de página ou tela, por todos os IDs da pessoa, até 1.000.',
        'Último registro: evento mais recente da pessoa. Primeiro registro: quando chegou o primeiro dos seus IDs.',
      ],
      rules: () => [
        'O PostHog também conta pessoas com perfil.',
        'O Plausible não acompanha pessoas por mais de um dia; o GA4 conta navegadores por cookie.',
      ],
    },
    person: {
      definitions: [
        'Considera todos os IDs mesclados nesta pessoa, exceto os que foram separados.',
        'Primeiro registro: quando chegou o primeiro desses IDs. Último registro: evento mais recente.',
        'Visitas: com pelo menos uma visualização de página ou tela. Visualizações: páginas e telas. Eventos: todos.',
        'Inclui visitas de bots e de tráfego interno. Acima de 100.000, nada é contado.',
        'Em cada visita da lista: total de eventos, de visualizações e o tempo entre o primeiro e o último evento.',
        'IDs: todos os atuais da pessoa: primeiro o próprio, depois os mesclados.',
      ],
      rules: () => ['O Plausible não acompanha pessoas por mais de um dia; o GA4 mostra navegadores por cookie.'],
    },
    definitions: {
      definitions: [
        'Eventos por nome: de hoje e dos 29 dias anteriores, pelo horário em que aconteceram. Dias em UTC; inclui bots e tráfego interno.',
        'Eventos por propriedade: os que trazem qualquer valor não nulo, no próprio evento ou em página, dispositivo, local ou origem.',
        'Propriedades que só distinguem janelas e dispositivos ($window_id, $device_id) não são contadas.',
        'Último registro: evento mais recente com esse nome ou propriedade, atualizado de hora em hora.',
      ],
      rules: () => ['O PostHog também mostra o volume de 30 dias.'],
    },
  },
};

export const explainScreenWords: Part<typeof en> = { en, 'pt-BR': ptBR };
