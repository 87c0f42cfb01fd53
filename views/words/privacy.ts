/** Words of the privacy screen. What a site may tell its visitors is in privacy-notice.ts. */
import type { RequestState } from '#src/privacy/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Privacy',

  people: 'Somebody asks about themselves',
  peopleText: 'Find them by their e-mail address or an id, then hand out what is known of them or erase it.',
  search: 'E-mail or distinct id',
  searchHint: 'Exactly as it was sent; upper and lower case of an address are the same.',
  searchMissing: 'Type an address or an id.',
  find: 'Find',
  finding: 'Looking…',
  nobody: 'Nobody is known by this.',
  receiptsFound: (n: number, text: string) =>
    `There ${n === 1 ? 'is' : 'are'} ${counted(n, text, 'receipt', 'receipts')} about it below.`,
  anonymous: 'No name',
  ids: (n: number, text: string) => counted(n, text, 'id', 'ids'),
  moreIds: (text: string) => `and ${text} more`,
  firstSeen: (when: string) => `first seen ${when}`,
  download: 'Download everything',
  downloadTable: 'Events as a table',
  preparing: 'Preparing…',
  erase: 'Erase',
  eraseNamed: (name: string) => `Erase ${name}`,
  eraseTitle: (name: string) => `Erase ${name}?`,
  eraseText:
    'The person, all ids, events and visits are deleted, and every number loses their part. It takes a few minutes and cannot be undone. Who comes back later is counted as somebody new.',
  erasing: 'Erasing…',
  eraseAsked: 'The erasure is under way',
  onlyAdmins: 'Erasing is for admins of the team.',

  receipts: 'Receipts',
  receiptsText:
    'Proof of what was done, without a name: the code is a fingerprint of the ids. Search for an id above to find its receipt.',
  noReceipts: 'Nobody has asked for anything yet.',
  kinds: { export: 'Handed out', erase: 'Erased' },
  states: {
    waiting: 'waits',
    sweeping: 'under way',
    done: 'done',
    expired: 'not fetched within a day',
  } satisfies Record<RequestState, string> as Record<RequestState, string>,
  by: (name: string) => `asked by ${name}`,
  tables: {
    persons: (n: number, text: string) => counted(n, text, 'person', 'people'),
    distinct_ids: (n: number, text: string) => counted(n, text, 'id', 'ids'),
    person_overrides: (n: number, text: string) => counted(n, text, 'merge', 'merges'),
    events: (n: number, text: string) => counted(n, text, 'event', 'events'),
    sessions: (n: number, text: string) => counted(n, text, 'visit', 'visits'),
    property_groups: (n: number, text: string) => counted(n, text, 'shared value', 'shared values'),
    groups: (n: number, text: string) => counted(n, text, 'group', 'groups'),
    ingestion_warnings: (n: number, text: string) => counted(n, text, 'warning', 'warnings'),
    cookieless_sessions: (n: number, text: string) => counted(n, text, 'cookieless visit', 'cookieless visits'),
  } as Record<string, (n: number, text: string) => string>,
  nothing: 'nothing was there',

  retention: 'Retention',
  kept: (text: string) => `Events are deleted after ${text} days, every night.`,
  keptForever: 'Events are kept until you delete them.',
  change: 'Change in the settings',
  runs: (when: string) => `before ${when}`,
  noRuns: 'Nothing was old enough yet.',

  texts: 'For your site',
  textsText: 'Words for your privacy page and code for your buttons. Have somebody who knows your case read them.',
  language: 'Language of the text',
  way: 'How you count',
  ways: { cookieless: 'Without cookies', consent: 'With cookies, after consent' },
  notice: 'For the privacy page',
  optOut: 'A button to stay out',
  consent: 'Ask first',
  optOutText: 'A browser that stays out sends nothing: not to Luneta, and not through it.',

  own: 'Your own visits',
  ownText: 'Two ways to leave yourself out of the numbers.',
  ownBrowser:
    'In this browser: make a bookmark with this address and open it on your site. Opened again, it counts you again.',
  bookmark: 'Address of the bookmark',
  bookmarkOut: 'Your visits are not counted in this browser any more.',
  bookmarkIn: 'Your visits are counted in this browser again.',
  bookmarkNone: 'Open this bookmark on the site that sends to Luneta.',
  ownTeam:
    'For the whole team: name your hosts, addresses or ids in the settings. Such events are stored and left out of the numbers.',
  ownFilters: 'Own traffic in the settings',
};

const ptBR: typeof en = {
  title: 'Privacidade',

  people: 'Alguém pergunta pelos próprios dados',
  peopleText: 'Encontre a pessoa pelo e-mail ou por um id; depois, entregue ou exclua o que se sabe dela.',
  search: 'E-mail ou distinct id',
  searchHint: 'Exatamente como foi enviado; no e-mail, maiúsculas e minúsculas dão na mesma.',
  searchMissing: 'Digite um e-mail ou um id.',
  find: 'Procurar',
  finding: 'Procurando…',
  nobody: 'Não conhecemos ninguém com esse e-mail ou id.',
  receiptsFound: (n, text) => `Há ${counted(n, text, 'recibo', 'recibos')} sobre isso abaixo.`,
  anonymous: 'Sem nome',
  ids: (n, text) => counted(n, text, 'id', 'ids'),
  moreIds: (text) => `e mais ${text}`,
  firstSeen: (when) => `desde ${when}`,
  download: 'Baixar tudo',
  downloadTable: 'Eventos em tabela',
  preparing: 'Preparando…',
  erase: 'Excluir',
  eraseNamed: (name) => `Excluir ${name}`,
  eraseTitle: (name) => `Excluir ${name}?`,
  eraseText:
    'A pessoa e todos os ids, eventos e visitas dela são excluídos, e cada número perde essa parte. Leva alguns minutos e não dá para desfazer. Se ela voltar depois, conta como outra pessoa.',
  erasing: 'Excluindo…',
  eraseAsked: 'A exclusão está em andamento',
  onlyAdmins: 'Só quem administra a equipe pode excluir.',

  receipts: 'Recibos',
  receiptsText:
    'A prova do que foi feito, sem nome: o código é uma impressão digital dos ids. Procure um id acima para achar o recibo dele.',
  noReceipts: 'Ninguém pediu nada ainda.',
  kinds: { export: 'Entrega', erase: 'Exclusão' },
  states: {
    waiting: 'à espera',
    sweeping: 'em andamento',
    done: 'concluída',
    expired: 'não baixada em um dia',
  },
  by: (name) => `a pedido de ${name}`,
  tables: {
    persons: (n, text) => counted(n, text, 'pessoa', 'pessoas'),
    distinct_ids: (n, text) => counted(n, text, 'id', 'ids'),
    person_overrides: (n, text) => counted(n, text, 'união', 'uniões'),
    events: (n, text) => counted(n, text, 'evento', 'eventos'),
    sessions: (n, text) => counted(n, text, 'visita', 'visitas'),
    property_groups: (n, text) => counted(n, text, 'valor comum', 'valores comuns'),
    groups: (n, text) => counted(n, text, 'grupo', 'grupos'),
    ingestion_warnings: (n, text) => counted(n, text, 'aviso', 'avisos'),
    cookieless_sessions: (n, text) => counted(n, text, 'visita sem cookies', 'visitas sem cookies'),
  },
  nothing: 'não havia nada',

  retention: 'Prazo de guarda',
  kept: (text) => `Os eventos são excluídos depois de ${text} dias, toda noite.`,
  keptForever: 'Os eventos ficam até você excluir.',
  change: 'Alterar nas configurações',
  runs: (when) => `anteriores a ${when}`,
  noRuns: 'Nada passou do prazo ainda.',

  texts: 'Para o seu site',
  textsText:
    'Textos para a sua página de privacidade e código para os botões. Peça a alguém que conheça o seu caso que os leia.',
  language: 'Idioma do texto',
  way: 'Como você conta',
  ways: { cookieless: 'Sem cookies', consent: 'Com cookies, depois do consentimento' },
  notice: 'Para a página de privacidade',
  optOut: 'Um botão para ficar de fora',
  consent: 'Perguntar antes',
  optOutText: 'Um navegador que fica de fora não envia nada: nem à Luneta, nem por meio dela.',

  own: 'As suas visitas',
  ownText: 'Dois jeitos de ficar fora dos números.',
  ownBrowser:
    'Neste navegador: crie um favorito com este endereço e abra-o no seu site. Aberto outra vez, ele volta a contar você.',
  bookmark: 'Endereço do favorito',
  bookmarkOut: 'Suas visitas não são mais contadas neste navegador.',
  bookmarkIn: 'Suas visitas voltam a ser contadas neste navegador.',
  bookmarkNone: 'Abra este favorito no site que envia para a Luneta.',
  ownTeam:
    'Para a equipe toda: informe seus domínios, endereços ou ids nas configurações. Esses eventos são guardados e ficam fora dos números.',
  ownFilters: 'Tráfego próprio nas configurações',
};

export const privacyWords: Part<typeof en> = { en, 'pt-BR': ptBR };
