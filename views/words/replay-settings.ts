/** Words of the settings of session replay. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  what: 'Recording',
  whatText: 'Takes effect on the next page load, within about 2 minutes. Sites need no change.',
  mode: 'Record',
  modes: {
    off: 'Nothing',
    problems: 'Sessions with problems, and a sample',
    sample: 'A sample of sessions',
    all: 'All sessions',
  },
  modeHints: {
    off: 'No session is recorded. Stored recordings stay until they expire.',
    problems:
      'Every session with an error, a rage click or one of your events, from up to a minute before it. Needs autocapture for rage clicks and exceptions for errors.',
    sample: 'Sessions are chosen at random.',
    all: 'Every session of at least the minimum length.',
  },
  fields: {
    replaySample: { label: 'Sample (%)', hint: 'Share of all other sessions. 0: none.' },
    replayEvents: {
      label: 'Events that start a recording',
      hint: 'One name per line, e.g. checkout_failed. Errors and rage clicks always do.',
    },
    replaySeconds: {
      label: 'Minimum length (seconds)',
      hint: 'Shorter sessions are not recorded. Doesn’t apply to problems.',
    },
    replayConsole: { label: 'Console messages', hint: 'Logs, warnings and errors of the page' },
    replayNetwork: {
      label: 'Network requests',
      hint: 'Addresses, status and duration. Headers and bodies are never stored.',
    },
    replayMask: { label: 'Mask text of elements', hint: 'One CSS selector per line, e.g. .customer-name' },
    replayBlock: {
      label: 'Don’t record elements',
      hint: 'One CSS selector per line, e.g. #map. A placeholder is shown instead.',
    },
    replayOnly: { label: 'Start on these pages', hint: 'One path per line, e.g. /checkout/*. Empty: all pages.' },
    replayNever: { label: 'Pause on these pages', hint: 'One path per line, e.g. /account/*' },
    replayRetention: { label: 'Keep recordings for (days)', hint: 'Older ones are deleted every hour.' },
    replayBudget: { label: 'Storage limit (GB)', hint: 'Of this project' },
    replayViewers: {
      label: 'Viewers may watch',
      hint: 'Members, admins and owners always may. Each viewing is listed in Activity.',
    },
  },
  privacy: 'Masking',
  privacyText: 'Masked in the visitor’s browser, before anything is sent.',
  masking: 'Mask',
  maskings: { inputs: 'What visitors type', text: 'All text' },
  maskingHints: {
    inputs: 'Form fields are always masked. Values of password, card and CPF fields are also removed on the server.',
    text: 'All text of the page is replaced, as well as form fields.',
  },
  pages: 'Pages',
  pagesText: '* stands for any text. Problems are recorded on all pages except paused ones.',
  keeping: 'Storage',
  keepingText:
    'From 90% of the limit, half the sample is recorded. Above it, the oldest recordings without errors are deleted first.',
  none: 'No recordings yet.',
  used: (bytes: string, budget: string, part: string) => `${bytes} of ${budget} used (${part})`,
  perDay: (sessions: string, bytes: string) => `Recordings: ${sessions}. ${bytes} per day.`,
  enough: 'The limit is enough for this retention.',
  fullAt: (date: string) => `The limit will be reached on ${date}.`,
  states: {
    warned:
      'More than 80% of the storage limit is used. Raise the limit, keep recordings for fewer days or record a smaller sample.',
    thinned:
      'More than 90% of the storage limit is used, so half the sample is recorded. Raise the limit, keep recordings for fewer days or record a smaller sample.',
  },
  dropped: (n: number, text: string) =>
    `${counted(n, text, 'recording was', 'recordings were')} deleted early because of the limit.`,
  watching: 'Access',
  watchingText: 'Recordings show what visitors did.',
  errors: {
    number: (least: string, most: string) => `Enter a number from ${least} to ${most}.`,
    many: (most: string) => `Use at most ${most} entries.`,
    replayEvents: (entry: string) => `Invalid event name “${entry}”. Use at most 200 characters.`,
    replayMask: (entry: string) => `Invalid CSS selector “${entry}”. Check brackets and quotes.`,
    replayBlock: (entry: string) => `Invalid CSS selector “${entry}”. Check brackets and quotes.`,
    replayOnly: (entry: string) => `Invalid path “${entry}”. Start with /, without ? or #.`,
    replayNever: (entry: string) => `Invalid path “${entry}”. Start with /, without ? or #.`,
  },
};

const ptBR: typeof en = {
  what: 'Gravação',
  whatText: 'Vale em 1 a 2 minutos, no próximo carregamento da página. Nada muda no código do site.',
  mode: 'Gravar',
  modes: {
    off: 'Nada',
    problems: 'Sessões com problemas e uma amostra',
    sample: 'Uma amostra das sessões',
    all: 'Todas as sessões',
  },
  modeHints: {
    off: 'Nenhuma sessão é gravada. As gravações existentes ficam até vencer.',
    problems:
      'Toda sessão com erro, clique de raiva ou um dos seus eventos, desde até um minuto antes. Depende da captura de cliques e de exceções.',
    sample: 'As sessões são sorteadas.',
    all: 'Toda sessão com a duração mínima.',
  },
  fields: {
    replaySample: { label: 'Amostra (%)', hint: 'Parte das demais sessões. 0: nenhuma.' },
    replayEvents: {
      label: 'Eventos que iniciam uma gravação',
      hint: 'Um nome por linha, como checkout_falhou. Erros e cliques de raiva sempre iniciam.',
    },
    replaySeconds: {
      label: 'Duração mínima (segundos)',
      hint: 'Sessões mais curtas não são gravadas. Não vale para problemas.',
    },
    replayConsole: { label: 'Mensagens do console', hint: 'Logs, avisos e erros da página' },
    replayNetwork: {
      label: 'Requisições de rede',
      hint: 'Endereço, status e duração. Cabeçalhos e conteúdo nunca são armazenados.',
    },
    replayMask: { label: 'Mascarar o texto de elementos', hint: 'Um seletor CSS por linha, como .nome-do-cliente' },
    replayBlock: {
      label: 'Não gravar elementos',
      hint: 'Um seletor CSS por linha, como #mapa. No lugar aparece um espaço vazio.',
    },
    replayOnly: { label: 'Começar nestas páginas', hint: 'Um caminho por linha, como /checkout/*. Em branco: todas.' },
    replayNever: { label: 'Pausar nestas páginas', hint: 'Um caminho por linha, como /conta/*' },
    replayRetention: { label: 'Manter gravações por (dias)', hint: 'As mais antigas são excluídas a cada hora.' },
    replayBudget: { label: 'Limite de armazenamento (GB)', hint: 'Deste projeto' },
    replayViewers: {
      label: 'Leitores podem assistir',
      hint: 'Membros, admins e proprietários sempre podem. Cada acesso fica em Atividade.',
    },
  },
  privacy: 'Mascaramento',
  privacyText: 'Feito no navegador do visitante, antes do envio.',
  masking: 'Mascarar',
  maskings: { inputs: 'O que é digitado', text: 'Todo o texto' },
  maskingHints: {
    inputs: 'Os campos são sempre mascarados. Valores de senha, cartão e CPF também são removidos no servidor.',
    text: 'Todo o texto da página é substituído, além dos campos.',
  },
  pages: 'Páginas',
  pagesText: '* vale por qualquer texto. Problemas são gravados em todas as páginas, menos nas pausadas.',
  keeping: 'Armazenamento',
  keepingText:
    'A partir de 90% do limite, só metade da amostra é gravada. Acima dele, as gravações mais antigas sem erros são excluídas primeiro.',
  none: 'Nenhuma gravação ainda.',
  used: (bytes, budget, part) => `${bytes} de ${budget} em uso (${part})`,
  perDay: (sessions, bytes) => `Gravações: ${sessions}. ${bytes} por dia.`,
  enough: 'O limite basta para esse prazo.',
  fullAt: (date) => `O limite será atingido em ${date}.`,
  states: {
    warned: 'Mais de 80% do limite está em uso. Aumente o limite, reduza o prazo ou grave uma amostra menor.',
    thinned:
      'Mais de 90% do limite está em uso, e só metade da amostra é gravada. Aumente o limite, reduza o prazo ou grave uma amostra menor.',
  },
  dropped: (n, text) =>
    `${counted(n, text, 'gravação foi excluída', 'gravações foram excluídas')} antes do prazo por causa do limite.`,
  watching: 'Acesso',
  watchingText: 'As gravações mostram o que os visitantes fizeram.',
  errors: {
    number: (least, most) => `Digite um número de ${least} a ${most}.`,
    many: (most) => `Limite de ${most} itens. Remova alguns.`,
    replayEvents: (entry) => `Nome de evento inválido: “${entry}”. Use até 200 caracteres.`,
    replayMask: (entry) => `Seletor CSS inválido: “${entry}”. Confira colchetes e aspas.`,
    replayBlock: (entry) => `Seletor CSS inválido: “${entry}”. Confira colchetes e aspas.`,
    replayOnly: (entry) => `Caminho inválido: “${entry}”. Comece com /, sem ? nem #.`,
    replayNever: (entry) => `Caminho inválido: “${entry}”. Comece com /, sem ? nem #.`,
  },
};

export const replaySettingsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
