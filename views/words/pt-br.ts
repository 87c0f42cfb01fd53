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
    monthYear: (month, year) => `${month} de ${year}`,
  },

  nav: {
    main: 'Principal',
    shortcuts: 'Atalhos',
    skip: 'Ir para o conteúdo',
    groupWatch: 'Acompanhar',
    overview: 'Visão geral',
    live: 'Ao vivo',
    events: 'Eventos',
    groupUnderstand: 'Entender',
    people: 'Pessoas',
    goals: 'Metas',
    groupProduct: 'Produto',
    ingestion: 'Recebimento',
    settings: 'Configurações',
    more: 'Mais',
    search: 'Buscar',
    projects: 'Projetos',
    switchProject: (name) => `Projeto ${name}. Trocar de projeto`,
    crumbs: 'Onde você está',
    close: 'Fechar',
  },

  intake: {
    rate: (n, text) => counted(n, text, 'evento por minuto', 'eventos por minuto'),
    listening: 'À escuta, nenhum evento ainda',
    quiet: 'À escuta',
    offline: 'Sem conexão',
  },

  appearance: {
    theme: 'Tema',
    language: 'Idioma',
    themes: { system: 'Do sistema', light: 'Claro', dark: 'Escuro' },
    languages: { en: 'English', 'pt-BR': 'Português (Brasil)' },
  },

  offline: {
    title: 'Você está sem conexão.',
    text: 'Seus números estão no servidor e aparecem quando a conexão voltar.',
    unreachableTitle: 'O servidor não responde.',
    unreachableText: 'Os eventos que ele já recebeu estão guardados.',
    again: (text) => `Nova tentativa em ${text} s`,
    trying: 'Tentando…',
    tryNow: 'Tentar agora',
  },

  range: {
    label: 'Período',
    earlier: 'Período anterior',
    later: 'Período seguinte',
    presets: {
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
      all_time: 'Desde o início',
    },
  },

  compare: {
    label: 'Comparação',
    previous: 'vs. período anterior',
    year: 'vs. um ano antes',
    weekday: 'vs. um ano antes, mesmos dias da semana',
    dates: (dates) => `vs. ${dates}`,
    none: 'Sem comparação',
  },

  interval: {
    label: 'Intervalo',
    hour: 'Hora',
    day: 'Dia',
    week: 'Semana',
    month: 'Mês',
  },

  metrics: {
    label: 'Números principais; escolha um para o gráfico',
    visitors: 'Visitantes',
    visits: 'Visitas',
    views: 'Páginas vistas',
    viewsPerVisit: 'Páginas por visita',
    bounceRate: 'Taxa de rejeição',
    visitDuration: 'Duração da visita',
    of: (numerator, denominator) => `${numerator} de ${denominator}`,
    median: (text) => `mediana ${text}`,
  },

  change: {
    none: 'sem mudança',
    new: 'novo',
    from: (before) => `antes: ${before}`,
    label: 'Variação',
  },

  chart: {
    name: (metric, interval, range, before) =>
      `${metric} por ${{ hour: 'hora', day: 'dia', week: 'semana', month: 'mês' }[interval]}, ${range}${
        before === null ? '' : `, em comparação com ${before}`
      }`,
    explore: 'As setas percorrem o gráfico; Home e End vão às pontas.',
    running: {
      hour: 'Esta hora, até agora',
      day: 'Hoje, até agora',
      week: 'Esta semana, até agora',
      month: 'Este mês, até agora',
    },
    now: 'Agora',
    today: 'Hoje',
    until: (time) => `até ${time}`,
    nothing: 'não recebido',
    asTable: 'Tabela',
    asChart: 'Gráfico',
    view: 'Desenhar como',
    period: { hour: 'Hora', day: 'Dia', week: 'Semana', month: 'Mês' },
    before: 'Antes',
    longDay: (hours) => `um dia de ${hours} horas`,
    zone: {
      hour: (zone) => `Horas em ${zone}.`,
      day: (zone) => `Dias em ${zone}.`,
      week: (zone) => `Semanas em ${zone}.`,
      month: (zone) => `Meses em ${zone}.`,
    },
    counted: (until, before) =>
      before === null ? `Contado até ${until}.` : `Contado até ${until}; o período anterior, até ${before}.`,
  },

  tables: {
    page: 'Páginas',
    entryPage: 'Páginas de entrada',
    exitPage: 'Páginas de saída',
    outbound: 'Links externos',
    channel: 'Canais',
    referringDomain: 'Domínios de origem',
    utmSource: 'Fontes de campanhas',
    utmMedium: 'Mídias de campanhas',
    utmCampaign: 'Campanhas',
    utmTerm: 'Termos de campanhas',
    utmContent: 'Conteúdos de campanhas',
    country: 'Países',
    language: 'Idiomas',
    timeZone: 'Fusos horários',
    deviceType: 'Aparelhos',
    browser: 'Navegadores',
    system: 'Sistemas',
    screenSize: 'Telas',
    event: 'Eventos',
    vitals: 'Web vitals',
  },

  regions: {
    overview: 'Números e gráfico',
    filters: 'Filtros',
    stillCounting: (range) => `Ainda contando: ${range}…`,
    cancel: 'Cancelar',
    loading: 'Carregando',
  },

  people: {
    now: (n) => (n === 1 ? 'pessoa agora' : 'pessoas agora'),
    anonymous: (short) => `Anônimo ${short}`,
  },

  copy: {
    code: 'Código',
    copy: 'Copiar',
    copied: 'Copiado',
    failed: 'Não foi possível copiar. Selecione o texto e copie.',
  },

  errors: {
    title: 'Não foi possível carregar',
    retry: 'Tentar de novo',
    request: 'Requisição',
    noPermission: 'Sem permissão',
    codes: {
      invalid: 'O servidor não entendeu esta consulta. Escolha outro período ou filtro.',
      unauthenticated: 'Sua sessão terminou. Entre de novo.',
      forbidden: 'Você não tem acesso a este projeto. Peça a quem o administra.',
      not_found: 'Isto não existe, ou você não tem acesso.',
      conflict: 'Alguém alterou isto enquanto você via. Recarregue e tente de novo.',
      too_large: 'É muita coisa de uma vez. Escolha um período menor ou tire um filtro por propriedade rara.',
      rate_limited: 'Consultas demais ao mesmo tempo. Espere um pouco e tente de novo.',
      upstream: 'Um serviço externo não respondeu direito. Tente de novo.',
      timeout: 'O banco de dados não respondeu a tempo. Tente de novo ou escolha um período menor.',
      unavailable: 'O banco de dados está fora no momento. Tente de novo.',
      internal: 'Algo falhou do nosso lado e ficou registrado. Tente de novo.',
      network: 'Não foi possível chegar ao servidor. Confira a conexão e tente de novo.',
      unreadable: 'A resposta não pôde ser lida. Recarregue a página.',
    },
    retryAfter: (text) => `Tente de novo em ${text} s.`,
    notFoundTitle: 'Não há nada neste endereço',
    notFoundText: 'O link pode ser antigo, ou a página é de um projeto que você não pode ver.',
  },
};
