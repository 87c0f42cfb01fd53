/** Words of the screen that helps to install: the ways beyond the card's, and what the look-out has found. */
import type { Part } from './part.ts';
import { prose } from './sentences.ts';

const en = {
  title: 'Install',
  skip: 'Skip for now',
  steps: 'Steps',
  stepProject: 'Create a project',
  stepSnippet: 'Add the snippet',
  stepSnippetText: 'One line that points at this server',
  stepEvent: 'See the first event',
  stepEventText: 'It shows up here within a second',
  done: 'done',
  current: 'now',
  ways: {
    script: 'Script tag',
    npm: 'npm',
    react: 'React',
    next: 'Next.js',
    node: 'Node',
    component: 'Component',
    gtm: 'Tag Manager',
    others: 'Others',
    curl: 'curl',
    consent: 'Consent',
  },
  notes: {
    react: prose('Around the app, with ', 'posthog-js', ' installed from npm.'),
    next: prose('In ', 'instrumentation-client.ts', ', from Next.js 15.3 on. Older versions use the React way.'),
    gtm: prose('A tag of the type Custom HTML with the trigger ', 'All Pages', '.'),
    others: prose(
      'Every PostHog client has a setting for the host: give it this one. Apps send to ',
      '/ingest',
      ' too.',
    ),
    curl: prose('Any program can send: JSON with ', 'event', ' and the id of whoever acted.'),
    consent: prose('Nothing is sent and nothing is stored on the device before ', 'opt_in_capturing()', ' is called.'),
  },
  titles: {
    react: 'The root of the app',
    next: 'instrumentation-client.ts',
    gtm: 'Custom HTML',
    others: 'The host, for each client',
    curl: 'In a terminal',
    consent: 'Before and after the answer',
  },
  proxyTitle: 'On your own address',
  proxyText:
    'Visitors then only speak to your site, which no list of third parties knows. Let your site pass these paths on:',
  aliasTitle: 'Another word than /ingest',
  aliasText: prose('Where blockers know that word, ', 'ALIAS', ' answers just the same. Use it in the address above.'),
  checkTitle: 'Does this browser let it through?',
  checkText: 'Asks both paths from here, with whatever blockers this browser has.',
  check: 'Try both paths',
  checking: 'Trying…',
  passes: 'passes',
  blocked: 'is held back by something in this browser',
  onlyBots:
    'Events have arrived, and all of them are from bots. They are stored and left out of the numbers. Open your site in a browser.',
  refusedToken: (host: string | null, when: string) =>
    `${when}, ${host === null ? 'somebody' : host} sent events with a token that belongs to no project. Compare the token in the snippet with the one here.`,
  refusedContent: (host: string | null, when: string) =>
    `${when}, a request ${host === null ? '' : `from ${host} `}could not be read.`,
  contentType: prose('Its content type was ', 'TYPE', '; JSON, or what the PostHog clients send, is understood.'),
  received: 'The first event is here',
  receivedText: (time: string) => `It came at ${time}. From now on the screens fill by themselves.`,
  openOverview: 'Open Overview',
};

const ptBR: typeof en = {
  title: 'Instalar',
  skip: 'Pular por enquanto',
  steps: 'Passos',
  stepProject: 'Criar um projeto',
  stepSnippet: 'Instalar no site',
  stepSnippetText: 'Uma linha que aponta para este servidor',
  stepEvent: 'Ver o primeiro evento',
  stepEventText: 'Aparece aqui em um segundo',
  done: 'feito',
  current: 'agora',
  ways: {
    script: 'Tag de script',
    npm: 'npm',
    react: 'React',
    next: 'Next.js',
    node: 'Node',
    component: 'Componente',
    gtm: 'Tag Manager',
    others: 'Outros',
    curl: 'curl',
    consent: 'Consentimento',
  },
  notes: {
    react: prose('Em volta do aplicativo, com ', 'posthog-js', ' instalado pelo npm.'),
    next: prose(
      'Em ',
      'instrumentation-client.ts',
      ', a partir do Next.js 15.3. Versões antigas usam a forma do React.',
    ),
    gtm: prose('Uma tag do tipo HTML personalizado com o acionador ', 'All Pages', '.'),
    others: prose(
      'Todo cliente do PostHog tem uma opção para o endereço: use este. Os aplicativos também enviam para ',
      '/ingest',
      '.',
    ),
    curl: prose('Qualquer programa pode enviar: JSON com ', 'event', ' e o identificador de quem agiu.'),
    consent: prose('Nada é enviado nem guardado no aparelho antes de chamar ', 'opt_in_capturing()', '.'),
  },
  titles: {
    react: 'A raiz do aplicativo',
    next: 'instrumentation-client.ts',
    gtm: 'HTML personalizado',
    others: 'O endereço, para cada cliente',
    curl: 'No terminal',
    consent: 'Antes e depois da resposta',
  },
  proxyTitle: 'No seu próprio endereço',
  proxyText:
    'Assim os visitantes só falam com o seu site, que não está em nenhuma lista de terceiros. Faça o seu site repassar estes caminhos:',
  aliasTitle: 'Outra palavra no lugar de /ingest',
  aliasText: prose(
    'Onde os bloqueadores conhecem essa palavra, ',
    'ALIAS',
    ' responde igual. Use-a no endereço acima.',
  ),
  checkTitle: 'Este navegador deixa passar?',
  checkText: 'Pergunta aos dois caminhos daqui, com os bloqueadores que este navegador tiver.',
  check: 'Testar os dois caminhos',
  checking: 'Testando…',
  passes: 'passa',
  blocked: 'é retido por algo neste navegador',
  onlyBots:
    'Chegaram eventos, e todos são de robôs. Eles são guardados e ficam fora dos números. Abra o seu site em um navegador.',
  refusedToken: (host, when) =>
    `${when}, ${host === null ? 'alguém' : host} enviou eventos com um token que não é de nenhum projeto. Compare o token do código com o daqui.`,
  refusedContent: (host, when) => `${when}, não foi possível ler uma requisição${host === null ? '' : ` de ${host}`}.`,
  contentType: prose('O tipo de conteúdo era ', 'TYPE', '; entendemos JSON, ou o que os clientes do PostHog enviam.'),
  received: 'O primeiro evento chegou',
  receivedText: (time) => `Chegou às ${time}. Daqui em diante as telas se enchem sozinhas.`,
  openOverview: 'Abrir a visão geral',
};

export const installScreenWords: Part<typeof en> = { en, 'pt-BR': ptBR };
