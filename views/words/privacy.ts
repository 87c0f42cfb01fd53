/** Words of the privacy screen. What a site may tell its visitors is in privacy-notice.ts. */
import type { RequestState } from '#src/privacy/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Privacy',

  people: 'Data subject requests',
  peopleText: 'Find a person by email or ID, then export or erase their data.',
  search: 'Email or distinct ID',
  searchHint: 'Exact match. Email addresses aren’t case-sensitive.',
  searchMissing: 'Enter an email address or ID.',
  find: 'Search',
  finding: 'Searching…',
  nobody: 'No matching person',
  receiptsFound: (n: number, text: string) => `${counted(n, text, 'matching receipt', 'matching receipts')} below.`,
  anonymous: 'Anonymous',
  ids: (n: number, text: string) => counted(n, text, 'ID', 'IDs'),
  moreIds: (text: string) => `and ${text} more`,
  firstSeen: (when: string) => `first seen ${when}`,
  download: 'Export all data',
  downloadTable: (as: string): string => `Export events (${as})`,
  preparing: 'Preparing…',
  erase: 'Erase',
  eraseNamed: (name: string) => `Erase ${name}`,
  eraseTitle: (name: string) => `Erase ${name}?`,
  eraseText:
    'Permanently deletes this person, all their IDs, events and visits, and removes them from all metrics. Takes a few minutes and can’t be undone. If they return, they count as a new person.',
  erasing: 'Erasing…',
  eraseAsked: 'Erasure started',
  onlyAdmins: 'Only team admins can erase data.',

  receipts: 'Receipts',
  receiptsText:
    'Proof of each request without personal data. Each receipt is identified by a hash of the person’s IDs. Search for an ID above to find its receipt.',
  noReceipts: 'No requests yet',
  kinds: { export: 'Export', erase: 'Erasure' },
  states: {
    waiting: 'pending',
    sweeping: 'in progress',
    done: 'completed',
    expired: 'expired (not downloaded within a day)',
  } satisfies Record<RequestState, string> as Record<RequestState, string>,
  by: (name: string) => `requested by ${name}`,
  tables: {
    persons: (n: number, text: string) => counted(n, text, 'person', 'people'),
    distinct_ids: (n: number, text: string) => counted(n, text, 'ID', 'IDs'),
    person_overrides: (n: number, text: string) => counted(n, text, 'merge', 'merges'),
    events: (n: number, text: string) => counted(n, text, 'event', 'events'),
    sessions: (n: number, text: string) => counted(n, text, 'visit', 'visits'),
    property_groups: (n: number, text: string) => counted(n, text, 'shared value', 'shared values'),
    groups: (n: number, text: string) => counted(n, text, 'group', 'groups'),
    ingestion_warnings: (n: number, text: string) => counted(n, text, 'warning', 'warnings'),
    cookieless_sessions: (n: number, text: string) => counted(n, text, 'cookieless visit', 'cookieless visits'),
  } as Record<string, (n: number, text: string) => string>,
  nothing: 'no data found',

  retention: 'Data retention',
  kept: (text: string) =>
    `Events older than ${text} days are deleted every night. Visitors without a profile are deleted with their last event.`,
  visitors: (n: number, text: string) => counted(n, text, 'visitor without a profile', 'visitors without a profile'),
  keptForever: 'Events are kept until you delete them.',
  change: 'Edit in settings',
  runs: (when: string) => `events before ${when}`,
  noRuns: 'Nothing deleted yet',

  texts: 'For your website',
  textsText: 'Text for your privacy policy and code for your buttons. Have it reviewed by a legal expert.',
  language: 'Language',
  way: 'Tracking method',
  ways: { cookieless: 'Cookieless', consent: 'Cookies with consent' },
  notice: 'Privacy policy text',
  optOut: 'Opt-out button',
  consent: 'Consent banner',
  optOutText: 'Browsers that opt out send no data to Luneta or through it.',

  own: 'Exclude your own visits',
  ownText: 'Two ways to exclude internal traffic:',
  ownBrowser:
    'This browser: save this address as a bookmark and open it on your site. Open it again to include your visits.',
  bookmark: 'Bookmark address',
  bookmarkOut: 'Your visits are now excluded in this browser.',
  bookmarkIn: 'Your visits are included again in this browser.',
  bookmarkNone: 'Open this bookmark on a site that uses Luneta.',
  ownTeam:
    'Your team: add hosts, IP addresses or distinct IDs in settings. Matching events are stored but excluded from metrics.',
  ownFilters: 'Internal traffic settings',
};

const ptBR: typeof en = {
  title: 'Privacidade',

  people: 'Solicitações de titulares',
  peopleText: 'Busque a pessoa por e-mail ou ID para exportar ou excluir os dados dela.',
  search: 'E-mail ou Distinct ID',
  searchHint: 'Exatamente como foi enviado. No e-mail, maiúsculas e minúsculas não fazem diferença.',
  searchMissing: 'Digite um e-mail ou ID.',
  find: 'Buscar',
  finding: 'Buscando…',
  nobody: 'Nenhuma pessoa com esse e-mail ou ID.',
  receiptsFound: (n, text) => `Há ${counted(n, text, 'comprovante', 'comprovantes')} abaixo.`,
  anonymous: 'Sem nome',
  ids: (n, text) => counted(n, text, 'ID', 'IDs'),
  moreIds: (text) => `e mais ${text}`,
  firstSeen: (when) => `primeiro registro em ${when}`,
  download: 'Baixar tudo',
  downloadTable: (as) => `Eventos em ${as}`,
  preparing: 'Preparando…',
  erase: 'Excluir dados',
  eraseNamed: (name) => `Excluir dados de ${name}`,
  eraseTitle: (name) => `Excluir os dados de ${name}?`,
  eraseText:
    'A pessoa e todos os seus IDs, eventos e visitas são excluídos, e as métricas mudam. Leva alguns minutos e não pode ser desfeito. Se ela voltar, conta como nova pessoa.',
  erasing: 'Excluindo…',
  eraseAsked: 'Exclusão em andamento',
  onlyAdmins: 'Só admins da equipe podem excluir dados.',

  receipts: 'Comprovantes',
  receiptsText:
    'Registro do que foi feito, sem nomes. O código é um hash dos IDs. Busque um ID acima para encontrar o comprovante.',
  noReceipts: 'Nenhuma solicitação ainda.',
  kinds: { export: 'Exportação', erase: 'Exclusão' },
  states: {
    waiting: 'na fila',
    sweeping: 'em andamento',
    done: 'concluída',
    expired: 'não baixada em 24 h',
  },
  by: (name) => `solicitada por ${name}`,
  tables: {
    persons: (n, text) => counted(n, text, 'pessoa', 'pessoas'),
    distinct_ids: (n, text) => counted(n, text, 'ID', 'IDs'),
    person_overrides: (n, text) => counted(n, text, 'mesclagem', 'mesclagens'),
    events: (n, text) => counted(n, text, 'evento', 'eventos'),
    sessions: (n, text) => counted(n, text, 'visita', 'visitas'),
    property_groups: (n, text) => counted(n, text, 'valor compartilhado', 'valores compartilhados'),
    groups: (n, text) => counted(n, text, 'grupo', 'grupos'),
    ingestion_warnings: (n, text) => counted(n, text, 'aviso', 'avisos'),
    cookieless_sessions: (n, text) => counted(n, text, 'visita sem cookies', 'visitas sem cookies'),
  },
  nothing: 'nenhum dado encontrado',

  retention: 'Retenção de dados',
  kept: (text) =>
    `Eventos são excluídos após ${text} dias, toda noite. Visitantes sem perfil são excluídos com o último evento deles.`,
  visitors: (n, text) => counted(n, text, 'visitante sem perfil', 'visitantes sem perfil'),
  keptForever: 'Eventos são mantidos por tempo indeterminado.',
  change: 'Alterar nas configurações',
  runs: (when) => `eventos anteriores a ${when}`,
  noRuns: 'Nenhum evento passou do prazo ainda.',

  texts: 'Para o seu site',
  textsText:
    'Texto para sua política de privacidade e código para os botões. Revise com seu jurídico ou encarregado (DPO).',
  language: 'Idioma do texto',
  way: 'Forma de medição',
  ways: { cookieless: 'Sem cookies', consent: 'Com cookies, após consentimento' },
  notice: 'Para a política de privacidade',
  optOut: 'Botão de recusa (opt-out)',
  consent: 'Pedido de consentimento',
  optOutText: 'Navegadores que recusam não enviam nada, nem à Luneta nem por meio dela.',

  own: 'Suas visitas',
  ownText: 'Duas formas de excluir suas visitas das métricas.',
  ownBrowser:
    'Neste navegador: salve este endereço como favorito e abra-o no seu site. Abra de novo para voltar a contar.',
  bookmark: 'Link do favorito',
  bookmarkOut: 'Suas visitas não são mais contadas neste navegador.',
  bookmarkIn: 'Suas visitas voltaram a ser contadas neste navegador.',
  bookmarkNone: 'Abra este favorito em um site com a Luneta instalada.',
  ownTeam:
    'Para toda a equipe: defina hosts, endereços IP ou IDs nas configurações. Esses eventos são armazenados e excluídos das métricas.',
  ownFilters: 'Configurar tráfego interno',
};

export const privacyWords: Part<typeof en> = { en, 'pt-BR': ptBR };
