/** As palavras das telas em português do Brasil: escritas, não traduzidas. Uma chave que falta não compila. */
import type { Words } from './en.ts';
import { counted } from './sentences.ts';

export const ptBR: Words = {
  language: 'pt-BR',
  writing: {
    locale: 'pt-BR',
    months: ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'],
    weekdays: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'],
    points: 'p.p.',
    short: { thousand: ' mil', million: ' mi', billion: ' bi' },
    monthYear: (month, year) => `${month}. de ${year}`,
  },

  nav: {
    main: 'Principal',
    shortcuts: 'Atalhos',
    skip: 'Ir para o conteúdo',
    groupWatch: 'Acompanhar',
    overview: 'Visão geral',
    live: 'Tempo real',
    events: 'Eventos',
    groupUnderstand: 'Analisar',
    people: 'Pessoas',
    goals: 'Metas',
    dashboards: 'Painéis',
    alerts: 'Alertas',
    insights: 'Insights',
    errors: 'Erros',
    replays: 'Replays',
    flags: 'Feature flags',
    groupProduct: 'Produto',
    ingestion: 'Ingestão',
    settings: 'Configurações',
    more: 'Mais',
    search: 'Buscar',
    projects: 'Projetos',
    switchProject: (name) => `Projeto ${name}. Trocar projeto`,
    crumbs: 'Você está em',
    close: 'Fechar',
  },

  intake: {
    rate: (n, text) => counted(n, text, 'evento por minuto', 'eventos por minuto'),
    listening: 'Aguardando o primeiro evento',
    quiet: 'Aguardando eventos',
    offline: 'Sem conexão',
  },

  appearance: {
    theme: 'Tema',
    language: 'Idioma',
    themes: { system: 'Sistema', light: 'Claro', dark: 'Escuro' },
    languages: { en: 'English', 'pt-BR': 'Português (Brasil)' },
  },

  waiting: {
    title: (n, text) => `${counted(n, text, 'evento aguarda', 'eventos aguardam')} gravação.`,
    text: 'Contados em todos os projetos deste servidor. Os dados ainda não os incluem.',
  },

  offline: {
    title: 'Você está sem conexão.',
    text: 'Suas métricas estão no servidor e aparecem quando a conexão voltar.',
    unreachableTitle: 'O servidor não está respondendo.',
    unreachableText: 'Os eventos já recebidos estão armazenados.',
    again: (text) => `Nova tentativa em ${text} s`,
    trying: 'Tentando…',
    tryNow: 'Tentar agora',
  },

  range: {
    label: 'Período',
    earlier: 'Período anterior',
    later: 'Período seguinte',
    presets: {
      last_30_minutes: 'Últimos 30 minutos',
      last_hour: 'Última hora',
      today: 'Hoje',
      yesterday: 'Ontem',
      last_24_hours: 'Últimas 24 horas',
      last_7_days: 'Últimos 7 dias',
      last_7_full_days: 'Últimos 7 dias completos',
      last_28_days: 'Últimos 28 dias',
      last_30_days: 'Últimos 30 dias',
      last_90_days: 'Últimos 90 dias',
      this_week: 'Esta semana',
      this_month: 'Este mês',
      last_month: 'Mês passado',
      this_year: 'Este ano',
      last_12_months: 'Últimos 12 meses',
      all_time: 'Todo o período',
    },
  },

  compare: {
    label: 'Comparação',
    previous: 'Período anterior',
    year: 'Ano contra ano',
    weekday: 'Ano contra ano (mesmo dia da semana)',
    dates: (dates) => `vs. ${dates}`,
    none: 'Sem comparação',
  },

  interval: {
    label: 'Intervalo',
    minute: 'Minuto',
    hour: 'Hora',
    day: 'Dia',
    week: 'Semana',
    month: 'Mês',
  },

  metrics: {
    label: 'Métricas principais. Escolha uma para ver no gráfico.',
    visitors: 'Visitantes',
    visits: 'Visitas',
    views: 'Visualizações',
    viewsPerVisit: 'Páginas por visita',
    bounceRate: 'Taxa de rejeição',
    visitDuration: 'Duração da visita',
    of: (numerator, denominator) => `${numerator} de ${denominator}`,
    viewsIn: (views, visits) => `${views} visualizações de qualquer página em ${visits} visitas iniciadas no período`,
    median: (text) => `mediana ${text}`,
  },

  change: {
    none: 'sem variação',
    new: 'novo',
    from: (before) => `anterior: ${before}`,
    label: 'Variação',
  },

  chart: {
    name: (metric, interval, range, before) =>
      `${metric} por ${{ minute: 'minuto', hour: 'hora', day: 'dia', week: 'semana', month: 'mês' }[interval]}, ${range}${
        before === null ? '' : `, em comparação com ${before}`
      }`,
    explore: 'Use as setas para percorrer o gráfico; Home e End vão ao início e ao fim.',
    running: {
      hour: 'Esta hora, até agora',
      day: 'Hoje, até agora',
      week: 'Esta semana, até agora',
      month: 'Este mês, até agora',
    },
    now: 'Agora',
    today: 'Hoje',
    until: (time) => `até ${time}`,
    nothing: 'sem dados',
    asTable: 'Tabela',
    asChart: 'Gráfico',
    view: 'Exibir como',
    period: { minute: 'Minuto', hour: 'Hora', day: 'Dia', week: 'Semana', month: 'Mês' },
    before: 'Período anterior',
    longDay: (hours) => `dia com ${hours} horas`,
    zone: {
      minute: (zone) => `Por minuto, ${zone}`,
      hour: (zone) => `Horários em ${zone}`,
      day: (zone) => `Dias em ${zone}`,
      week: (zone) => `Semanas em ${zone}`,
      month: (zone) => `Meses em ${zone}`,
    },
    counted: (until, before) =>
      before === null ? `Dados até ${until}.` : `Dados até ${until}. Período anterior até ${before}.`,
  },

  tables: {
    page: 'Páginas',
    entryPage: 'Páginas de entrada',
    exitPage: 'Páginas de saída',
    outbound: 'Links de saída',
    source: 'Origens',
    channel: 'Canais',
    referringDomain: 'Domínios de referência',
    utmSource: 'Origens da campanha',
    utmMedium: 'Mídias da campanha',
    utmCampaign: 'Campanhas',
    utmTerm: 'Termos da campanha',
    utmContent: 'Conteúdos da campanha',
    country: 'Países',
    region: 'Estados e regiões',
    city: 'Cidades',
    language: 'Idiomas',
    timeZone: 'Fusos horários',
    deviceType: 'Dispositivos',
    browser: 'Navegadores',
    os: 'Sistemas operacionais',
    viewportWidth: 'Tamanhos de tela',
    event: 'Eventos',
    vitals: 'Web Vitals',
  },

  regions: {
    overview: 'Métricas e gráfico',
    filters: 'Filtros',
    stillCounting: (range) => `Calculando: ${range}…`,
    cancel: 'Cancelar',
    loading: 'Carregando',
  },

  people: {
    now: 'online agora',
    anonymous: (short) => `Anônimo ${short}`,
  },

  copy: {
    code: 'Código',
    copy: 'Copiar',
    copied: 'Copiado',
    failed: 'Não foi possível copiar. Selecione e copie o texto.',
  },

  errors: {
    title: 'Não foi possível carregar',
    retry: 'Tentar de novo',
    request: 'Requisição',
    noPermission: 'Sem permissão de acesso',
    codes: {
      invalid: 'Consulta inválida. Escolha outro período ou filtro.',
      unauthenticated: 'Sua sessão expirou. Entre de novo.',
      forbidden: 'Você não tem acesso a este projeto. Peça a um admin da equipe.',
      not_found: 'Não encontrado, ou você não tem acesso.',
      conflict: 'Outra pessoa fez uma alteração enquanto isso. Recarregue e tente de novo.',
      too_large: 'A consulta é grande demais. Escolha um período menor ou remova filtros.',
      rate_limited: 'Muitas consultas ao mesmo tempo. Aguarde um instante e tente de novo.',
      upstream: 'Um serviço externo não respondeu corretamente. Tente de novo.',
      timeout: 'O banco de dados demorou para responder. Tente de novo ou escolha um período menor.',
      busy: 'O servidor está sobrecarregado no momento. Tente de novo.',
      unavailable: 'Banco de dados indisponível no momento. Tente de novo.',
      internal: 'Algo deu errado do nosso lado. O erro foi registrado. Tente de novo.',
      network: 'Não foi possível conectar ao servidor. Verifique sua conexão e tente de novo.',
      unreadable: 'Não foi possível ler a resposta. Recarregue a página.',
    },
    retryAfter: (text) => `Tente de novo em ${text} s.`,
    notFoundTitle: 'Página não encontrada',
    notFoundText: 'O link pode ser antigo, ou a página é de um projeto a que você não tem acesso.',
  },
};
