/** Words of the settings of a project that are switches or lists: label, hint, and what is wrong with an entry. */

const en = {
  /** Settings that are on or off. */
  switches: {
    autocapture: {
      label: 'Clicks and form submissions',
      hint: 'Record clicks, changes and form submissions automatically',
    },
    exceptionCapture: { label: 'Exceptions', hint: 'Capture unhandled errors' },
    webVitals: { label: 'Web Vitals', hint: 'Measure loading speed and responsiveness' },
    heatmaps: { label: 'Heatmaps', hint: 'Record where visitors click and how far they scroll, without naming them' },
    cookieless: {
      label: 'Cookieless tracking',
      hint: 'For pages that store nothing on the device. A visitor who returns on another day counts as new. If off, their events are dropped.',
    },
    respectDnt: {
      label: 'Respect Do Not Track and Global Privacy Control',
      hint: 'Events from these browsers are not stored.',
    },
  },
  /** Lists, one entry a line. */
  lists: {
    allowedOrigins: {
      label: 'Allowed origins',
      hint: 'One per line, e.g. https://shop.example or https://*.shop.example. Empty: all origins.',
      invalid: (entry: string) => `Invalid origin “${entry}”. Use the format https://shop.example, without a path.`,
    },
    internalHosts: {
      label: 'Hosts',
      hint: 'Development and staging hosts, e.g. localhost, *.preview.example',
      invalid: (entry: string) => `Invalid host “${entry}”. Use the format shop.example or localhost:3000.`,
    },
    internalAddresses: {
      label: 'IP addresses',
      hint: 'Your office network, e.g. 203.0.113.7, 203.0.113.0/24',
      invalid: (entry: string) => `Invalid IP address “${entry}”. Use the format 203.0.113.7 or 203.0.113.0/24.`,
    },
    internalIds: {
      label: 'Distinct IDs',
      hint: 'Team members: an ID, or @shop.example for all email addresses of that domain',
      invalid: (entry: string) => `Invalid ID or domain “${entry}”. Write domains as @shop.example.`,
    },
    ignoredReferrers: {
      label: 'Ignored referrers',
      hint: 'Payment gateways and your other sites, one domain per line, e.g. pay.example. Includes subdomains. Visits from these count as direct.',
      invalid: (entry: string) => `Invalid domain “${entry}”. Use the format pay.example, without https:// or a path.`,
    },
    strippedParameters: {
      label: 'URL parameters not stored',
      hint: 'Removed from every address before it is stored, e.g. passwords, tokens and emails. One name per line. Empty: all are stored.',
      invalid: (entry: string) => `Invalid parameter name “${entry}”. Write only the name, e.g. token.`,
    },
  },
};

const ptBR: typeof en = {
  switches: {
    autocapture: { label: 'Cliques e formulários', hint: 'Autocapture: cliques e envios de formulário' },
    exceptionCapture: { label: 'Exceções', hint: 'Erros não tratados' },
    webVitals: { label: 'Web Vitals', hint: 'Velocidade de carregamento e resposta das páginas' },
    heatmaps: {
      label: 'Mapas de calor',
      hint: 'Onde os visitantes clicam e até onde rolam a página, sem identificar ninguém',
    },
    cookieless: {
      label: 'Contar visitantes sem cookies',
      hint: 'Para páginas que não armazenam nada no dispositivo: cada dia conta como um novo visitante. Se desativado, esses eventos não são armazenados.',
    },
    respectDnt: {
      label: 'Respeitar Do Not Track e Global Privacy Control',
      hint: 'Eventos de navegadores com essa opção não são armazenados.',
    },
  },
  lists: {
    allowedOrigins: {
      label: 'Origens permitidas',
      hint: 'Uma por linha. Ex.: https://loja.com.br ou https://*.loja.com.br. Em branco: qualquer origem.',
      invalid: (entry) => `Origem inválida: “${entry}”. Use o formato https://loja.com.br, sem caminho.`,
    },
    internalHosts: {
      label: 'Hosts',
      hint: 'Ambientes de teste: localhost, *.preview.loja.com.br',
      invalid: (entry) => `Host inválido: “${entry}”. Use o formato loja.com.br ou localhost:3000.`,
    },
    internalAddresses: {
      label: 'Endereços IP',
      hint: 'Do escritório ou VPN: 203.0.113.7, 203.0.113.0/24',
      invalid: (entry) => `Endereço IP inválido: “${entry}”. Use o formato 203.0.113.7 ou 203.0.113.0/24.`,
    },
    internalIds: {
      label: 'Distinct IDs',
      hint: 'Da equipe: um ID ou @loja.com.br para todos os e-mails do domínio',
      invalid: (entry) => `ID ou domínio inválido: “${entry}”. Para um domínio, use @loja.com.br.`,
    },
    ignoredReferrers: {
      label: 'Domínios de referência ignorados',
      hint: 'Gateways de pagamento e seus outros sites, um por linha, com subdomínios: pagamento.com.br. Essas visitas contam como diretas.',
      invalid: (entry) => `Domínio inválido: “${entry}”. Use o formato pagamento.com.br, sem https:// nem caminho.`,
    },
    strippedParameters: {
      label: 'Parâmetros de URL não armazenados',
      hint: 'Removidos de todo endereço antes de armazenar: senhas, tokens, e-mails. Um nome por linha. Em branco: todos são armazenados.',
      invalid: (entry) => `Nome de parâmetro inválido: “${entry}”. Escreva só o nome, como token.`,
    },
  },
};

export const fields = { en, ptBR };
