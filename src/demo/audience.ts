/** Who visits the sample shop: where they sit, with what devices, what they are called, and the programs among them. Invented. A list. */
import { slug } from './shop.ts';

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
];
const lastNames = [
  'Prado',
  'Brandão',
  'Okamoto',
  'Tavares',
  'Vilela',
  'Duarte',
  'Monteiro',
  'Assis',
  'Farias',
  'Rocha',
  'Nogueira',
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
