/** Words for how the numbers of screens other than the Overview are counted. */
import type { ExplainedScreen, LeftOut, screenFigures } from '#src/insights/explain/contract.ts';
import { keptWords } from './explain-kept.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

/** A screen, or what those are told who see no more of Live than how many are there. */
type Told = ExplainedScreen | 'now';
type Figure = (typeof screenFigures)[ExplainedScreen][number];

export interface ExplainedWords {
  definitions: string[];
  /** What others' rules say, `value` where there is one. */
  rules?: (value: string) => string[];
}

/** What others say of who is here now. */
const nowRules: Part<(value: string) => string[]> = {
  en: (value) => [
    'Plausible looks back five minutes as well.',
    `GA4 shows the users of the last 30 minutes first: ${value}.`,
  ],
  'pt-BR': (value) => [
    'O Plausible também olha cinco minutos.',
    `O GA4 mostra primeiro os usuários dos últimos 30 minutos: ${value}.`,
  ],
};

const en = {
  close: 'Close',
  left: 'Left out',
  elsewhere: 'By other rules, on the same events',
  sql: (of: string, time: string) => `SQL at ${time}: ${of}`,
  figures: {
    now: 'people, events a minute and the way here',
    minutes: 'each minute',
    pages: 'pages now',
    sources: 'sources now',
    outcomes: 'what became of events',
    problems: 'what was noticed',
    people: 'people',
    person: 'first and last seen, visits, views and events',
    events: 'events by name',
    properties: 'events by property',
    visits: 'visits, the newest first',
    ids: 'ids',
    week: 'visitors by project and day',
    present: 'people now, by project',
    database: 'the database',
    projects: 'projects',
    jobs: 'recurring work',
    passed: 'what was passed on',
    queue: 'what waits',
    stored: 'events stored',
    older: 'those that are older',
    listed: 'events of the list',
    files: 'files',
    receipts: 'receipts',
    retention: 'retention',
  } satisfies Record<Figure, string> as Record<Figure, string>,
  leftOut: {
    bots: (n: number, text: string) => `${counted(n, text, 'event', 'events')} by bots`,
    internal: (n: number, text: string) => `${counted(n, text, 'event', 'events')} of your own team`,
    botViews: (n: number, text: string) => `${counted(n, text, 'page view', 'page views')} by bots`,
    teamViews: (n: number, text: string) => `${counted(n, text, 'page view', 'page views')} of your own team`,
    withoutProfile: (n: number, text: string) =>
      `${counted(n, text, 'visitor', 'visitors')} of whom nothing but their events is known`,
    merged: (n: number, text: string) =>
      n === 1
        ? `${text} person who was joined with another: both count once`
        : `${text} people who were joined with others: they count once together`,
    visitsWithoutView: (n: number, text: string) =>
      `${counted(n, text, 'visit', 'visits')} without a page view or screen`,
  } satisfies Record<LeftOut, unknown>,
  screens: {
    ...keptWords.en,
    home: {
      definitions: [
        'Visitors today: people with at least one page view or screen since midnight in the time zone of the project, each once after merges. The line shows the same of each of the last seven days; the Overview says the same number.',
        'People now: those with any event in the last five minutes, each once after merges.',
        'A project shows no numbers while it waits for its first event.',
      ],
      rules: () => ['Plausible counts visitors of a day as well; GA4 counts browsers by their cookie.'],
    },
    now: {
      definitions: [
        'People with any event in the last five minutes, each once after merges, without bots and your own team. Whatever else is filtered.',
      ],
      rules: nowRules.en,
    },
    live: {
      definitions: [
        'People: those with any event in the last five minutes, each once after merges, without bots and your own team.',
        'Events a minute: all events of the last five full minutes, divided by five.',
        'From browser to here: half of the events of the last five minutes took at most this long from happening to being received. Imports are left out.',
        'By minute: the people of each of the last 30 minutes, by the time of their events. Who is there for three minutes is in three of them.',
        'Pages now: each of these people once, on the page of their newest event that has one. The eight with most people are shown.',
        'Sources now: where the visit of their newest event came from: its campaign source, else the site that linked to it.',
      ],
      rules: nowRules.en,
    },
    ingestion: {
      definitions: [
        'Stored: events of this project that were committed in PostgreSQL in the last hour, by the minute in which they came. What was received again counts as such, and is stored once.',
        'Dropped: all other outcomes of the hour. Each event of a request has one outcome, written together with the events.',
        'To the commit: over the last minute, half of the events took at most the first time from being taken in to their commit, and 99 of 100 at most the second, to some 4%. Each process measures its own and writes it every 15 seconds (process_reports); /metrics says that of one process as luneta_commit_latency_ms.',
        'Waiting on disk: events that the processes keep while PostgreSQL is away, as they said last; /metrics says those of one process as luneta_spool_events.',
        'Noticed: drops and warnings since the full hour 24 hours ago. An event that is stored with a warning is no drop.',
        'Share: of all events of the hour, whatever became of them.',
        'Recurring work: how often in a row a job failed since it last succeeded.',
        'Requests that were refused as a whole belong to no project. Whoever runs the installation sees those of the last hour by minute under Refused requests, of all projects and processes, and Status those of the last day; /metrics those of one process as luneta_ingest_refused_total.',
      ],
    },
    people: {
      definitions: [
        'People with a profile: who was identified, or of whom something was said. Each counts once, after merges; under a search or filter, those whom it keeps.',
        '“Everybody” takes in visitors who only have events. Beyond 5,000 people the list does not count them; the SQL does.',
        'Visits: those with at least one page view or screen, by all ids of the person, counted up to 1,000.',
        'Last seen: the newest event of the person, whatever it is. First seen: when the first of their ids came.',
      ],
      rules: () => [
        'PostHog counts people with a profile as well.',
        'Plausible has no people beyond a day; GA4 counts browsers by their cookie.',
      ],
    },
    person: {
      definitions: [
        'By all ids that were ever joined into this person; those that were taken out again are not among them.',
        'First seen: when the first of these ids came. Last seen: the newest event, whatever it is.',
        'Visits: those with at least one page view or screen. Views: page views and screens. Events: all of them.',
        'Visits marked as of bots and those of your own team count here. Beyond 100,000 nothing is counted.',
        'Of each visit in the list: all its events, its page views and screens, and the time from its first event to its last.',
        'Ids: all by which the person is known now, their own first, then those that were joined.',
      ],
      rules: () => ['Plausible has no people beyond a day; GA4 shows browsers by their cookie.'],
    },
    definitions: {
      definitions: [
        'Events by name: all of today and the 29 days before, by the time at which they happened. Days are those of UTC; bots and your own team are counted.',
        'Events by property: those that say it with any value but null, themselves or by their page, device, place or source.',
        'Properties that only tell windows and devices apart ($window_id, $device_id) are not counted.',
        'Last seen: the newest event with the name, or with the property, noted once an hour.',
      ],
      rules: () => ['PostHog shows the volume of 30 days as well.'],
    },
  } satisfies Record<Told, ExplainedWords> as Record<Told, ExplainedWords>,
};

const ptBR: typeof en = {
  close: 'Fechar',
  left: 'Fora da conta',
  elsewhere: 'Por outras regras, com os mesmos eventos',
  sql: (of, time) => `SQL às ${time}: ${of}`,
  figures: {
    now: 'pessoas, eventos por minuto e tempo até aqui',
    minutes: 'cada minuto',
    pages: 'páginas agora',
    sources: 'origens agora',
    outcomes: 'o que foi feito dos eventos',
    problems: 'avisos',
    people: 'pessoas',
    person: 'primeira e última vez, visitas, páginas vistas e eventos',
    events: 'eventos por nome',
    properties: 'eventos por propriedade',
    visits: 'visitas, da mais nova à mais antiga',
    ids: 'identificadores',
    week: 'visitantes por projeto e dia',
    present: 'pessoas agora, por projeto',
    database: 'o banco de dados',
    projects: 'projetos',
    jobs: 'tarefas recorrentes',
    passed: 'o que foi repassado',
    queue: 'o que espera',
    stored: 'eventos guardados',
    older: 'os mais antigos',
    listed: 'eventos da lista',
    files: 'arquivos',
    receipts: 'recibos',
    retention: 'retenção',
  },
  leftOut: {
    bots: (n, text) => `${counted(n, text, 'evento', 'eventos')} de robôs`,
    internal: (n, text) => `${counted(n, text, 'evento', 'eventos')} da sua própria equipe`,
    botViews: (n, text) => `${counted(n, text, 'página vista', 'páginas vistas')} por robôs`,
    teamViews: (n, text) => `${counted(n, text, 'página vista', 'páginas vistas')} pela sua própria equipe`,
    withoutProfile: (n, text) =>
      n === 1
        ? `${text} visitante de quem só se conhecem os eventos`
        : `${text} visitantes de quem só se conhecem os eventos`,
    merged: (n, text) =>
      n === 1
        ? `${text} pessoa que foi unida a outra: as duas contam uma vez`
        : `${text} pessoas que foram unidas a outras: contam juntas uma vez`,
    visitsWithoutView: (n, text) => `${counted(n, text, 'visita', 'visitas')} sem página vista nem tela`,
  },
  screens: {
    ...keptWords['pt-BR'],
    home: {
      definitions: [
        'Visitantes hoje: pessoas com ao menos uma página vista ou tela desde a meia-noite do fuso horário do projeto, cada uma uma vez depois das uniões. A linha mostra o mesmo de cada um dos últimos sete dias; a Visão geral diz o mesmo número.',
        'Pessoas agora: as que têm algum evento nos últimos cinco minutos, cada uma uma vez depois das uniões.',
        'Um projeto não mostra números enquanto espera o primeiro evento.',
      ],
      rules: () => ['O Plausible também conta visitantes de um dia; o GA4 conta navegadores pelo cookie.'],
    },
    now: {
      definitions: [
        'Pessoas com algum evento nos últimos cinco minutos, cada uma uma vez depois das uniões, sem robôs e sem a sua própria equipe. Os filtros não contam aqui.',
      ],
      rules: nowRules['pt-BR'],
    },
    live: {
      definitions: [
        'Pessoas: as que têm algum evento nos últimos cinco minutos, cada uma uma vez depois das uniões, sem robôs e sem a sua própria equipe.',
        'Eventos por minuto: todos os eventos dos últimos cinco minutos completos, divididos por cinco.',
        'Do navegador até aqui: metade dos eventos dos últimos cinco minutos levou no máximo esse tempo entre acontecer e ser recebida. Importações ficam de fora.',
        'Por minuto: as pessoas de cada um dos últimos 30 minutos, pela hora dos eventos. Quem fica três minutos está em três deles.',
        'Páginas agora: cada uma dessas pessoas uma vez, na página do seu evento mais novo que tem uma. Aparecem as oito com mais gente.',
        'Origens agora: de onde veio a visita do evento mais novo: a fonte da campanha ou, sem ela, o site que trouxe.',
      ],
      rules: nowRules['pt-BR'],
    },
    ingestion: {
      definitions: [
        'Guardados: eventos deste projeto gravados no PostgreSQL na última hora, pelo minuto em que chegaram. O que chega de novo conta à parte e fica guardado uma vez só.',
        'Descartados: todos os outros resultados da hora. Cada evento de um envio tem um resultado, gravado junto com os eventos.',
        'Até gravar: no último minuto, metade dos eventos levou no máximo o primeiro tempo entre entrar e ser gravada, e 99 de cada 100, no máximo o segundo, com uns 4% de folga. Cada processo mede os seus e grava a cada 15 segundos (process_reports); em /metrics, os de um processo são luneta_commit_latency_ms.',
        'Esperando em disco: eventos que os processos guardam enquanto o PostgreSQL não responde, pelo que disseram por último; em /metrics, os de um processo são luneta_spool_events.',
        'Avisos: descartes e avisos desde a hora cheia de 24 horas atrás. Um evento guardado com aviso não é descarte.',
        'Fatia: de todos os eventos da hora, seja qual for o resultado.',
        'Tarefas recorrentes: quantas vezes seguidas uma tarefa falhou desde a última vez que deu certo.',
        'Requisições recusadas por inteiro não são de nenhum projeto. Quem administra a instalação vê as da última hora por minuto em Requisições recusadas, de todos os projetos e processos, e na Situação as do último dia; em /metrics, as de um processo são luneta_ingest_refused_total.',
      ],
    },
    people: {
      definitions: [
        'Pessoas com perfil: as identificadas ou de quem algo foi dito. Cada uma conta uma vez, depois das uniões; com busca ou filtro, as que eles mantêm.',
        '“Todos” inclui visitantes que só têm eventos. Acima de 5.000 pessoas a lista não as conta; o SQL conta.',
        'Visitas: as que têm ao menos uma página vista ou tela, por todos os identificadores da pessoa, contadas até 1.000.',
        'Última vez: o evento mais novo da pessoa, seja qual for. Primeira vez: quando chegou o primeiro dos seus identificadores.',
      ],
      rules: () => [
        'O PostHog também conta as pessoas com perfil.',
        'O Plausible não conhece pessoas além de um dia; o GA4 conta navegadores pelo cookie.',
      ],
    },
    person: {
      definitions: [
        'Por todos os identificadores que já foram unidos a esta pessoa; os que foram retirados não entram.',
        'Primeira vez: quando chegou o primeiro desses identificadores. Última vez: o evento mais novo, seja qual for.',
        'Visitas: as que têm ao menos uma página vista ou tela. Páginas vistas: inclui telas. Eventos: todos.',
        'Visitas marcadas como de robôs e as da sua própria equipe contam aqui. Acima de 100.000 nada é contado.',
        'De cada visita na lista: todos os eventos, as páginas vistas e telas, e o tempo do primeiro ao último evento.',
        'Identificadores: todos pelos quais a pessoa é conhecida agora, primeiro os próprios, depois os unidos.',
      ],
      rules: () => ['O Plausible não conhece pessoas além de um dia; o GA4 mostra navegadores pelo cookie.'],
    },
    definitions: {
      definitions: [
        'Eventos por nome: todos os de hoje e dos 29 dias anteriores, pela hora em que aconteceram. Os dias são os de UTC; robôs e a sua própria equipe contam.',
        'Eventos por propriedade: os que a informam com qualquer valor que não seja nulo, por si ou pela página, aparelho, lugar ou origem.',
        'Propriedades que só distinguem janelas e aparelhos ($window_id, $device_id) não são contadas.',
        'Última vez: o evento mais novo com o nome ou com a propriedade, anotado uma vez por hora.',
      ],
      rules: () => ['O PostHog também mostra o volume de 30 dias.'],
    },
  },
};

export const explainScreenWords: Part<typeof en> = { en, 'pt-BR': ptBR };
