/** Traffic sources and entry pages of the sample shop. Invented data. */

/** How a visit was entered. */
export interface Source {
  referrer: string | null;
  /** Campaign of the landing address. */
  campaign?: Record<string, string>;
  /** Entry pages by weight; '*' is any product, '#' any post. */
  landings: readonly (readonly [path: string, weight: number])[];
  /** Bounce rate, 0 to 1. */
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
  'guiadocafe.example',
  'baristas.example',
  'receitasdaserra.example',
  'clubedograo.example',
  'cozinhalenta.example',
  'mantiqueiranews.example',
  'vidanafazenda.example',
  'paladar.example',
  'minasaturismo.example',
  'cafeinados.example',
  'forumdocafe.example',
  'blogdaana.example',
  'slowcoffee.example',
  'specialtymap.example',
  'descontosja.example',
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
