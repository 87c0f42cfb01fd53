/**
 * Draft of a site's privacy notice about analytics with Luneta, in both languages, by the current settings. Every statement
 * must be true for these settings; details that only the site knows are in square brackets.
 */
import type { PrivacyOverview } from '#src/privacy/contract.ts';
import type { Language } from './en.ts';

export type CountingWay = 'cookieless' | 'consent';
type NoticeSettings = PrivacyOverview['settings'];

/** Paragraphs separated by blank lines. The first one marks the text as a draft. */
export function privacyNotice(language: Language, way: CountingWay, settings: NoticeSettings): string {
  const text = texts[language];
  const { forwarding } = settings;
  const place = placeKept(way, settings);
  const paragraphs = [
    text.draft,
    text.controller,
    forwarding === null ? text.kept : text[forwarding.mode](forwarding.host),
    text.what(place),
    alsoText(text, settings),
    replayText(text, settings),
    text.account,
    text.ways[forwarding?.mode === 'relay' ? 'relay' : way],
    settings.respectDnt && forwarding?.mode !== 'relay' ? text.doNotTrack : null,
    ipText(text, place, settings),
    retentionText(text, settings),
    text.transfer[forwarding === null ? 'hosting' : 'forwarded'],
    text.basis[way],
    text.rights,
    text.contact,
  ];
  return paragraphs.filter((paragraph) => paragraph !== null).join('\n\n');
}

/** Stored location of visitors. */
type PlaceKept = 'country' | 'city';

/** Region and city are stored only where a part of the address may be; an upstream behind a relay gets the whole address. */
function placeKept(way: CountingWay, { ipHandling, forwarding }: NoticeSettings): PlaceKept {
  if (forwarding?.mode === 'relay') return 'city';
  return way === 'cookieless' || ipHandling === 'none' ? 'country' : 'city';
}

/** With a relay the upstream's settings decide what is captured. */
function alsoText(text: Notice, settings: NoticeSettings): string | null {
  if (settings.forwarding?.mode === 'relay') return text.relayAlso;
  const { autocapture, exceptionCapture, webVitals, heatmaps } = settings;
  return autocapture || exceptionCapture || webVitals || heatmaps ? text.also(settings) : null;
}

/** With a relay recordings go to the upstream, by its settings. */
function replayText(text: Notice, { replay, forwarding }: NoticeSettings): string | null {
  return replay === null || forwarding?.mode === 'relay' ? null : text.replay(replay);
}

function ipText(text: Notice, place: PlaceKept, { ipHandling, forwarding }: NoticeSettings): string {
  const ip = text.ip[ipHandling](place);
  if (forwarding === null) return ip;
  if (forwarding.mode === 'relay') return text.relayIp;
  return `${ip} ${text.mirrorIp[ipHandling]}`;
}

function retentionText(text: Notice, { retentionDays, forwarding }: NoticeSettings): string {
  if (forwarding?.mode === 'relay') return text.upstreamRetention(forwarding.host);
  const kept = retentionDays === null ? text.forever : text.days(retentionDays);
  return forwarding === null ? kept : `${kept} ${text.upstreamRetention(forwarding.host)}`;
}

type IpHandling = NoticeSettings['ipHandling'];

interface Notice {
  draft: string;
  controller: string;
  /** Destination of the data, by mode. */
  kept: string;
  mirror(host: string): string;
  relay(host: string): string;
  what(place: PlaceKept): string;
  also(captured: Pick<NoticeSettings, 'autocapture' | 'exceptionCapture' | 'webVitals' | 'heatmaps'>): string;
  replay(recorded: NonNullable<NoticeSettings['replay']>): string;
  relayAlso: string;
  account: string;
  /** With a relay the way of counting is the upstream's. */
  ways: Record<CountingWay | 'relay', string>;
  doNotTrack: string;
  ip: Record<IpHandling, (place: PlaceKept) => string>;
  mirrorIp: Record<IpHandling, string>;
  relayIp: string;
  days(n: number): string;
  forever: string;
  upstreamRetention(host: string): string;
  transfer: Record<'hosting' | 'forwarded', string>;
  basis: Record<CountingWay, string>;
  rights: string;
  contact: string;
}

const joined = (language: Language, items: (string | false)[]) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items.filter((item) => item !== false));

const placeEn = { country: 'country', city: 'approximate location' } as const;
const placePt = { country: 'o país', city: 'sua localização aproximada' } as const;

const texts: Record<Language, Notice> = {
  en: {
    draft:
      'DRAFT. Have a lawyer review this text before you publish it. Replace everything in [square brackets]. Update it when your settings change.',
    controller:
      'Controller: [company name, registration number, address]. Data protection officer: [name, email address].',
    kept: 'We measure visits to this site with Luneta, analytics software that we operate ourselves. The data is stored on servers of [hosting provider, country], which processes it on our behalf. We do not sell it or share it with other companies.',
    mirror: (host) =>
      `We measure visits to this site with Luneta, analytics software that we operate ourselves. The data is stored on servers of [hosting provider, country]. A copy, which includes your browser’s user agent, is sent to ${host}, operated by [company, country]. Both process it on our behalf. We do not sell it.`,
    relay: (host) =>
      `We measure visits to this site with analytics software. Our servers at [hosting provider, country] forward the data to ${host}, operated by [company, country], which stores and processes it on our behalf. We do not sell it.`,
    what: (place) =>
      `For each visit, we record the pages viewed, the time, the referring site, the device type, the browser, the operating system, the language, the screen size and ${place === 'country' ? 'the country' : 'the approximate location (country and, if known, region and city)'}. Our own events can add details of what you do here: [list, such as sign-up or purchase].`,
    also: ({ autocapture, exceptionCapture, webVitals, heatmaps }) =>
      `We also record ${joined('en', [
        autocapture && 'which buttons, links and forms you use',
        exceptionCapture && 'errors that occur in your browser',
        webVitals && 'how fast pages load and respond',
        heatmaps && 'where on a page you click and how far you scroll, without linking it to you',
      ])}.`,
    replay: ({ isSample, masksText, console, network, retentionDays }) =>
      `We record how the pages of this site are used in ${isSample ? 'some' : 'all'} visits, so that we can watch the visit again: the content of the pages as you see it, movements of the mouse, clicks, scrolling and page changes${
        console || network
          ? `, and ${joined('en', [console && 'technical messages of the page', network && 'addresses and times of its requests'])}`
          : ''
      }. What you type into forms is masked in your browser and not sent.${
        masksText
          ? ' The text of the pages is masked as well.'
          : ' [List content of pages that identifies a visitor, such as name or order, unless it is masked.]'
      } Only authorized people of our team can watch recordings, and each viewing is logged. Recordings are kept for ${retentionDays} days.`,
    relayAlso: '[What else is recorded, such as clicks, errors and page speed.]',
    account:
      '[Only if you identify signed-in users: When you sign in, your visits are linked to your account, with your user ID and (list of properties, such as name or email).]',
    ways: {
      cookieless:
        'We do not use cookies or store anything on your device for analytics. To count each visitor once per day, we calculate a code from your IP address and browser with a secret key. The key is deleted by the end of the next day. After that, the code can no longer be linked to you.',
      consent:
        'If you consent, a random identifier is stored on your device (cookie and local storage) so that we can recognize return visits. Without your consent, nothing is stored.',
      relay: '[What is stored on your device: cookie and local storage, or nothing. How visitors are recognized.]',
    },
    doNotTrack: 'We do not record visits from browsers that send Do Not Track or Global Privacy Control.',
    ip: {
      none: () => 'Your IP address is used to determine your country and then discarded. We do not store it.',
      truncated: (place) =>
        `Your IP address is used to determine your ${placeEn[place]}. We store it only in truncated form, so that it no longer identifies a single connection.`,
      full: (place) => `Your IP address is used to determine your ${placeEn[place]}, and we store it with each event.`,
    },
    mirrorIp: {
      none: 'It is not included in the copy.',
      truncated: 'The copy also includes it only in truncated form.',
      full: 'The copy includes it in full.',
    },
    relayIp: 'Your full IP address is forwarded with the data.',
    days: (n) => `Visit data is deleted after ${n} days.`,
    forever: 'Visit data is kept for as long as its purpose requires: [how long, and why].',
    upstreamRetention: (host) => `Data at ${host} is kept for [period set there].`,
    transfer: {
      hosting:
        '[Only if the hosting provider is in another country: Your data is transferred to (country) on the basis of (standard contractual clauses or adequacy decision; LGPD Art. 33, GDPR Chapter V).]',
      forwarded:
        '[If one of these companies is in another country: Your data is transferred to (country) on the basis of (standard contractual clauses or adequacy decision; LGPD Art. 33, GDPR Chapter V).]',
    },
    basis: {
      cookieless: 'Legal basis: our legitimate interest in improving our site (LGPD Art. 7, IX; GDPR Art. 6(1)(f)).',
      consent:
        'Legal basis: your consent (LGPD Art. 7, I; GDPR Art. 6(1)(a)). You can withdraw it at any time with the button below. Withdrawal does not affect processing before it.',
    },
    rights:
      'Your rights (LGPD Art. 18; GDPR Arts. 15 to 22): confirmation that we process your data; access; correction; anonymization, blocking or erasure of data that is excessive or processed unlawfully; portability; erasure of data processed with your consent; information about the companies we share it with; information about what happens if you refuse consent; withdrawal of consent; and objection to processing.',
    contact:
      'Contact our data protection officer at [email address]. You can also complain to a supervisory authority: in Brazil, the ANPD (gov.br/anpd); in the European Union, the authority of your country.',
  },
  'pt-BR': {
    draft:
      'RASCUNHO. Peça a revisão de um advogado antes de publicar este texto. Substitua tudo o que está entre [colchetes]. Atualize-o quando mudar as configurações.',
    controller: 'Controlador: [nome da empresa, CNPJ, endereço]. Encarregado (DPO): [nome, e-mail].',
    kept: 'Medimos o acesso a este site com a Luneta, um software operado por nós. Os dados ficam em servidores de [provedor de hospedagem, país], que os trata em nosso nome. Não vendemos os dados nem os compartilhamos com outras empresas.',
    mirror: (host) =>
      `Medimos o acesso a este site com a Luneta, um software operado por nós. Os dados ficam em servidores de [provedor de hospedagem, país]. Uma cópia, que inclui o user agent do navegador, é enviada para ${host}, serviço de [empresa, país]. Ambos tratam os dados em nosso nome. Não vendemos os dados.`,
    relay: (host) =>
      `Medimos o acesso a este site com um software de análise. Nossos servidores em [provedor de hospedagem, país] encaminham os dados para ${host}, serviço de [empresa, país], que os armazena e trata em nosso nome. Não vendemos os dados.`,
    what: (place) =>
      `Em cada visita, registramos as páginas vistas, o horário, o site de referência, o tipo de dispositivo, o navegador, o sistema operacional, o idioma, o tamanho da tela e ${place === 'country' ? 'o país' : 'a localização aproximada (país e, quando conhecidos, estado e cidade)'}. Nossos eventos podem incluir detalhes do que você faz aqui: [lista, como cadastro ou compra].`,
    also: ({ autocapture, exceptionCapture, webVitals, heatmaps }) =>
      `Também registramos ${joined('pt-BR', [
        autocapture && 'os botões, links e formulários que você usa',
        exceptionCapture && 'os erros que ocorrem no seu navegador',
        webVitals && 'a velocidade com que as páginas carregam e respondem',
        heatmaps && 'onde você clica e até onde rola cada página, sem vincular isso a você',
      ])}.`,
    replay: ({ isSample, masksText, console, network, retentionDays }) =>
      `Gravamos o uso das páginas deste site em ${isSample ? 'parte das' : 'todas as'} visitas, para poder rever a visita: o conteúdo das páginas como você as vê, movimentos do mouse, cliques, rolagem e mudanças de página${
        console || network
          ? `, além de ${joined('pt-BR', [console && 'mensagens técnicas da página', network && 'endereços e tempos das suas requisições'])}`
          : ''
      }. O que você digita em formulários é mascarado no seu navegador e não é enviado.${
        masksText
          ? ' O texto das páginas também é mascarado.'
          : ' [Liste o conteúdo das páginas que identifica o visitante, como nome ou pedido, se não estiver mascarado.]'
      } Só pessoas autorizadas da nossa equipe assistem às gravações, e cada acesso é registrado. As gravações ficam guardadas por ${retentionDays} dias.`,
    relayAlso: '[O que mais é registrado, como cliques, erros e velocidade das páginas.]',
    account:
      '[Somente se você identifica usuários conectados: Quando você entra na sua conta, suas visitas são associadas a ela, com o seu ID de usuário e (lista de propriedades, como nome ou e-mail).]',
    ways: {
      cookieless:
        'Não usamos cookies nem armazenamos nada no seu dispositivo para a análise. Para contar cada visitante uma vez por dia, geramos um código a partir do endereço IP e do navegador, com uma chave destruída até o fim do dia seguinte. Depois disso, o código não pode mais ser associado a você.',
      consent:
        'Com o seu consentimento, armazenamos um identificador aleatório no seu dispositivo (cookie e armazenamento local) para reconhecer novas visitas. Sem consentimento, nada é armazenado.',
      relay:
        '[O que é armazenado no dispositivo: cookie e armazenamento local, ou nada. Como os visitantes são reconhecidos.]',
    },
    doNotTrack: 'Não registramos visitas de navegadores que enviam Do Not Track ou Global Privacy Control.',
    ip: {
      none: () => 'Usamos seu endereço IP apenas para identificar o país e o descartamos em seguida, sem armazená-lo.',
      truncated: (place) =>
        `Usamos seu endereço IP para identificar ${placePt[place]} e o armazenamos apenas de forma truncada, que não identifica uma conexão específica.`,
      full: (place) => `Usamos seu endereço IP para identificar ${placePt[place]} e o armazenamos em cada evento.`,
    },
    mirrorIp: {
      none: 'Ele não é incluído na cópia.',
      truncated: 'Na cópia, ele também aparece apenas de forma truncada.',
      full: 'A cópia o inclui por inteiro.',
    },
    relayIp: 'Seu endereço IP completo é encaminhado com os dados.',
    days: (n) => `Os dados de acesso são eliminados após ${n} dias.`,
    forever: 'Os dados de acesso são mantidos enquanto durar a finalidade: [por quanto tempo e por quê].',
    upstreamRetention: (host) => `Em ${host}, os dados são mantidos por [prazo configurado lá].`,
    transfer: {
      hosting:
        '[Somente se o provedor de hospedagem estiver em outro país: Seus dados são transferidos para (país) com base em (cláusulas-padrão contratuais ou decisão de adequação; LGPD, art. 33; GDPR, capítulo V).]',
      forwarded:
        '[Se uma dessas empresas estiver em outro país: Seus dados são transferidos para (país) com base em (cláusulas-padrão contratuais ou decisão de adequação; LGPD, art. 33; GDPR, capítulo V).]',
    },
    basis: {
      cookieless:
        'Base legal: legítimo interesse em manter um site que funcione bem (LGPD, art. 7º, IX; GDPR, art. 6(1)(f)).',
      consent:
        'Base legal: consentimento (LGPD, art. 7º, I; GDPR, art. 6(1)(a)), que você pode revogar a qualquer momento no botão abaixo. A revogação não afeta o tratamento anterior.',
    },
    rights:
      'Seus direitos (LGPD, art. 18; GDPR, arts. 15 a 22): confirmação do tratamento; acesso; correção; anonimização, bloqueio ou eliminação de dados excessivos ou tratados em desconformidade com a lei; portabilidade; eliminação dos dados tratados com o seu consentimento; informação sobre as empresas com as quais compartilhamos os dados; informação sobre as consequências de negar o consentimento; revogação do consentimento; e oposição ao tratamento.',
    contact:
      'Fale com o encarregado: [e-mail]. Você também pode apresentar reclamação à autoridade de proteção de dados: no Brasil, a ANPD (gov.br/anpd); na União Europeia, a autoridade do seu país.',
  },
};

/** A button for the site that opts its visitor out. */
export function optOutSnippet(language: Language): string {
  const label = { en: 'Opt out of analytics', 'pt-BR': 'Não medir minhas visitas' }[language];
  return `<button type="button" onclick="posthog.opt_out_capturing()">\n  ${label}\n</button>`;
}
