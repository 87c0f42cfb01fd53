/**
 * Café Serrana: what the sample shop sells, its pages, and where its visitors come from and sit. Invented, all of it. A list,
 * and so longer than files of code are.
 */

import type { GoalInput } from '#src/insights/goals/contract.ts';

export const shop = {
  name: 'Café Serrana',
  timeZone: 'America/Sao_Paulo',
  host: 'loja.serrana.example',
  currency: 'BRL',
};

/** What the shop wants of its visitors. */
export const shopGoals: readonly GoalInput[] = [
  {
    name: 'Pedido',
    rule: { kind: 'event', event: 'pedido_concluido', filters: { match: 'all', of: [] } },
    amount: { property: 'valor', currencyProperty: 'moeda', currency: null },
  },
  { name: 'Viu a assinatura', rule: { kind: 'page', pages: ['/assinatura*'] }, amount: null },
  {
    name: 'Adicionou ao carrinho',
    rule: {
      kind: 'action',
      any: [
        {
          ...{ of: 'element', text: 'Adicionar ao carrinho', href: null, selector: null, page: '/produtos/*' },
          filters: { match: 'all', of: [] },
        },
      ],
    },
    amount: null,
  },
];

export const newsletterNote = 'Newsletter “Colheita 2026”';

/** UTC−3 all year since 2019. */
export const shopOffsetMs = -3 * 3_600_000;

export interface Product {
  path: string;
  name: string;
  sku: string;
  price: number;
  /** How often it is looked at, beside the others. */
  weight: number;
}

const beans = [
  ['Bourbon Amarelo', 'BAM', 39.9, 14],
  ['Catuaí Vermelho', 'CTV', 37.9, 8],
  ['Mundo Novo', 'MDN', 34.9, 4],
  ['Acaiá', 'ACA', 36.9, 3],
  ['Arara', 'ARA', 41.9, 3],
  ['Obatã', 'OBA', 38.9, 2],
  ['Icatu', 'ICA', 33.9, 2],
  ['Geisha da Serra', 'GEI', 89.9, 3],
  ['Descafeinado', 'DES', 42.9, 2],
] as const;

const goods = [
  ['moedor-manual-serrana', 'Moedor manual Serrana', 'MOE-01', 289, 4],
  ['coador-de-pano', 'Coador de pano', 'COA-01', 24.9, 2],
  ['prensa-francesa-600ml', 'Prensa francesa 600 ml', 'PRE-06', 149, 2],
  ['xicara-esmaltada', 'Xícara esmaltada', 'XIC-01', 49.9, 2],
  ['kit-degustacao', 'Kit degustação', 'KIT-04', 119, 5],
  ['filtro-v60-100', 'Filtro V60 com 100', 'FIL-60', 39, 1],
] as const;

export const products: readonly Product[] = [
  ...beans.flatMap(([name, code, price, weight]) =>
    [250, 500].map((grams) => ({
      path: `/produtos/${slug(name)}-${grams}g`,
      name: `${name} ${grams} g`,
      sku: `${code}-${grams}`,
      price: grams === 250 ? price : Math.round(price * 18.5) / 10,
      weight: grams === 250 ? weight : weight / 2,
    })),
  ),
  ...goods.map(([path, name, sku, price, weight]) => ({ path: `/produtos/${path}`, name, sku, price, weight })),
];

const methods = ['Aeropress', 'Moka', 'Expresso', 'Café com leite', 'Prensa francesa', 'Coador de pano'];
const regions = [
  'Mantiqueira',
  'Caparaó',
  'Cerrado Mineiro',
  'Alta Mogiana',
  'Chapada Diamantina',
  'Planalto da Conquista',
];

const articles: readonly string[] = [
  'Como moer café em casa',
  'V60 passo a passo',
  'Diferença entre arábica e robusta',
  'Água para café',
  'Colheita 2026: o que mudou',
  'Cold brew sem segredo',
  'Quanto pó por xícara',
  'O que é torra média',
  'Visita à Fazenda Boa Vista',
  'Café e sono',
  ...methods.flatMap((method) => [`Guia: ${method}`, `Receita: ${method}`]),
  ...regions.map((region) => `Origem: ${region}`),
];

/** Paths of the magazine, the most read first. */
export const posts: readonly string[] = articles.map((title) => `/blog/${slug(title)}`);

export const titles: Record<string, string> = {
  ...Object.fromEntries(articles.map((title) => [`/blog/${slug(title)}`, title])),
  '/': 'Café Serrana: café fresco da serra',
  '/produtos': 'Cafés e utensílios',
  '/assinatura': 'Assinatura: café todo mês',
  '/carrinho': 'Seu carrinho',
  '/checkout': 'Finalizar pedido',
  '/checkout/obrigado': 'Pedido recebido',
  '/sobre': 'Quem somos',
  '/contato': 'Fale com a gente',
  '/entregas': 'Entregas e prazos',
  '/conta': 'Sua conta',
  '/conta/pedidos': 'Seus pedidos',
  '/colheita-2026': 'Colheita 2026 chegou',
};

/** Links to other sites: their text, address and weight. */
export const elsewhere: readonly (readonly [link: readonly [text: string, href: string], weight: number])[] = [
  [['Instagram', 'https://www.instagram.com/cafeserrana.example'], 46],
  [['Fale no WhatsApp', 'https://wa.me/5500000000000'], 31],
  [['Rastrear pedido', 'https://rastreamento.correios.example/'], 15],
  [['Fazenda Boa Vista', 'https://fazendaboavista.example/visitas'], 8],
];

export const searches = [
  'moedor',
  'bourbon',
  'descafeinado',
  'filtro',
  'grão',
  'kit',
  'v60',
  'presente',
  'assinatura',
  'geisha',
];

/** How a visit was entered. */
export interface Source {
  referrer: string | null;
  /** Campaign of the landing address. */
  campaign?: Record<string, string>;
  /** Where such visits begin, by weight; '*' is any product, '#' any post. */
  landings: readonly (readonly [path: string, weight: number])[];
  /** Share of visits that end at once. */
  bounce: number;
}

const search: Source['landings'] = [
  ['/', 30],
  ['#', 34],
  ['*', 22],
  ['/produtos', 10],
  ['/assinatura', 4],
];
const social: Source['landings'] = [
  ['*', 40],
  ['/', 25],
  ['#', 20],
  ['/assinatura', 15],
];
const word: Source['landings'] = [
  ['#', 60],
  ['/', 30],
  ['*', 10],
];

export const newsletter: Source = {
  referrer: null,
  campaign: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'Colheita 2026', utm_content: 'botão' },
  landings: [
    ['/colheita-2026', 70],
    ['/assinatura', 18],
    ['*', 12],
  ],
  bounce: 0.27,
};

const bareDomains = [
  ...[
    'guiadocafe.example',
    'baristas.example',
    'receitasdaserra.example',
    'clubedograo.example',
    'cozinhalenta.example',
  ],
  ...[
    'mantiqueiranews.example',
    'vidanafazenda.example',
    'paladar.example',
    'minasaturismo.example',
    'cafeinados.example',
  ],
  ...['forumdocafe.example', 'blogdaana.example', 'slowcoffee.example', 'specialtymap.example', 'descontosja.example'],
];

export const sources: readonly (readonly [source: Source, weight: number])[] = [
  [{ referrer: 'https://www.google.com/', landings: search, bounce: 0.38 }, 30],
  [
    {
      referrer: 'https://www.google.com/',
      campaign: {
        utm_source: 'google',
        utm_medium: 'cpc',
        utm_campaign: 'marca',
        utm_term: 'café serrana',
        gclid: 'Cj0KCQiA-demo',
      },
      landings: [
        ['/', 40],
        ['/assinatura', 35],
        ['*', 25],
      ],
      bounce: 0.42,
    },
    6.5,
  ],
  [
    {
      referrer: null,
      landings: [
        ['/', 62],
        ['/produtos', 14],
        ['/assinatura', 10],
        ['/conta', 6],
        ['*', 8],
      ],
      bounce: 0.33,
    },
    22.5,
  ],
  [{ referrer: 'https://l.instagram.com/', landings: social, bounce: 0.49 }, 12.3],
  [newsletter, 1.6],
  [{ referrer: 'https://www.bing.com/', landings: search, bounce: 0.37 }, 2.9],
  [{ referrer: 'https://wa.me/', landings: social, bounce: 0.36 }, 2],
  [{ referrer: 'https://www.youtube.com/', landings: word, bounce: 0.44 }, 1.5],
  [{ referrer: 'https://m.facebook.com/', landings: social, bounce: 0.5 }, 2.6],
  [{ referrer: 'https://duckduckgo.com/', landings: search, bounce: 0.36 }, 1.7],
  [{ referrer: 'https://chatgpt.com/', landings: word, bounce: 0.31 }, 1.4],
  [{ referrer: 'https://br.pinterest.com/', landings: word, bounce: 0.52 }, 0.9],
  [{ referrer: 'https://t.co/', landings: word, bounce: 0.55 }, 0.6],
  ...bareDomains.map(
    (domain, index) =>
      [{ referrer: `https://${domain}/`, landings: word, bounce: 0.41 }, 1.5 / (1 + index / 3)] as const,
  ),
];

/** Country, time zone, language, weight. */
export const places: readonly (readonly [place: Place, weight: number])[] = [
  [{ country: 'BR', timeZone: 'America/Sao_Paulo', language: 'pt-BR' }, 70],
  [{ country: 'BR', timeZone: 'America/Bahia', language: 'pt-BR' }, 5],
  [{ country: 'BR', timeZone: 'America/Fortaleza', language: 'pt-BR' }, 4],
  [{ country: 'BR', timeZone: 'America/Manaus', language: 'pt-BR' }, 2.2],
  [{ country: 'PT', timeZone: 'Europe/Lisbon', language: 'pt-PT' }, 5.8],
  [{ country: 'US', timeZone: 'America/New_York', language: 'en-US' }, 4.1],
  [{ country: 'AR', timeZone: 'America/Argentina/Buenos_Aires', language: 'es-AR' }, 2.2],
  [{ country: 'DE', timeZone: 'Europe/Berlin', language: 'de-DE' }, 1.4],
  [{ country: 'UY', timeZone: 'America/Montevideo', language: 'es-UY' }, 1.1],
  [{ country: 'GB', timeZone: 'Europe/London', language: 'en-GB' }, 0.9],
  [{ country: 'JP', timeZone: 'Asia/Tokyo', language: 'ja-JP' }, 0.7],
  ...['FR', 'ES', 'IT', 'CL', 'PY', 'CO', 'MX', 'CA', 'AO', 'MZ', 'CH', 'NL'].map(
    (country) => [{ country, timeZone: 'Etc/UTC', language: 'en-US' }, 0.22] as const,
  ),
];

export interface Place {
  country: string;
  timeZone: string;
  language: string;
}

export interface Device {
  os: string;
  osVersion: string;
  browser: string;
  browserVersion: number;
  type: 'Mobile' | 'Desktop' | 'Tablet';
  screen: readonly [width: number, height: number];
  viewport: readonly [width: number, height: number];
  userAgent: string;
}

const android = 'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

export const devices: readonly (readonly [device: Device, weight: number])[] = [
  [
    device(
      'Android',
      '15',
      'Chrome',
      142,
      'Mobile',
      [412, 915],
      [412, 785],
      `${android} Chrome/142.0.0.0 Mobile Safari/537.36`,
    ),
    28,
  ],
  [
    device(
      'Android',
      '14',
      'Chrome',
      141,
      'Mobile',
      [360, 800],
      [360, 668],
      `${android} Chrome/141.0.0.0 Mobile Safari/537.36`,
    ),
    8,
  ],
  [
    device(
      'Windows',
      '10',
      'Chrome',
      142,
      'Desktop',
      [1920, 1080],
      [1903, 937],
      `${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    ),
    13,
  ],
  [
    device(
      'Mac OS X',
      '10.15.7',
      'Chrome',
      142,
      'Desktop',
      [1440, 900],
      [1425, 764],
      `${mac} ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    ),
    3,
  ],
  [
    device(
      'iOS',
      '26.1',
      'Mobile Safari',
      26,
      'Mobile',
      [393, 852],
      [393, 660],
      `${iphone} Version/26.1 Mobile/15E148 Safari/604.1`,
    ),
    18,
  ],
  [
    device(
      'Mac OS X',
      '10.15.7',
      'Safari',
      26,
      'Desktop',
      [1512, 982],
      [1512, 857],
      `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`,
    ),
    6,
  ],
  [
    device(
      'Android',
      '15',
      'Samsung Internet',
      28,
      'Mobile',
      [384, 854],
      [384, 726],
      `${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ),
    8.1,
  ],
  [
    device(
      'Windows',
      '10',
      'Microsoft Edge',
      142,
      'Desktop',
      [1536, 864],
      [1521, 730],
      `${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    ),
    6.2,
  ],
  [
    device(
      'Windows',
      '10',
      'Firefox',
      145,
      'Desktop',
      [1920, 1080],
      [1920, 947],
      `${windows.slice(0, -1)}; rv:145.0) Gecko/20100101 Firefox/145.0`,
    ),
    4.1,
  ],
  [
    device(
      'iOS',
      '26.1',
      'Instagram',
      406,
      'Mobile',
      [390, 844],
      [390, 735],
      `${iphone} Mobile/15E148 Instagram 406.0.0.27.84`,
    ),
    3.3,
  ],
  [
    device(
      'Windows',
      '10',
      'Opera',
      124,
      'Desktop',
      [1366, 768],
      [1349, 625],
      `${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`,
    ),
    1.2,
  ],
];

/** Programs that read the shop. */
export const bots: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
];

const firstNames = [
  ...[
    'Helena',
    'Caio',
    'Beatriz',
    'Rafael',
    'Marcos',
    'Marina',
    'Júlia',
    'Thiago',
    'Larissa',
    'André',
    'Sofia',
    'Pedro',
  ],
  ...[
    'Camila',
    'Lucas',
    'Renata',
    'Diego',
    'Isabela',
    'Bruno',
    'Lívia',
    'Otávio',
    'Paula',
    'Vitor',
    'Alice',
    'Gustavo',
  ],
];
const lastNames = [
  ...['Prado', 'Brandão', 'Okamoto', 'Tavares', 'Vilela', 'Duarte', 'Monteiro', 'Assis', 'Farias', 'Rocha', 'Nogueira'],
  ...[
    'Peixoto',
    'Siqueira',
    'Amaral',
    'Bastos',
    'Coelho',
    'Teles',
    'Queiroz',
    'Sampaio',
    'Lacerda',
    'Furtado',
    'Meireles',
  ],
];

export interface Customer {
  name: string;
  email: string;
}

/** The nth customer: another name and address for each. */
export function customerAt(index: number): Customer {
  const first = firstNames[index % firstNames.length] as string;
  const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length] as string;
  const round = Math.floor(index / (firstNames.length * lastNames.length));
  const local = `${slug(first)}.${slug(last)}${round === 0 ? '' : round + 1}`;
  return { name: `${first} ${last}`, email: `${local}@exemplo.example` };
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

function device(
  os: string,
  osVersion: string,
  browser: string,
  browserVersion: number,
  type: Device['type'],
  screen: Device['screen'],
  viewport: Device['viewport'],
  userAgent: string,
): Device {
  return { os, osVersion, browser, browserVersion, type, screen, viewport, userAgent };
}
