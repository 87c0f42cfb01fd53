/** Visitors of the sample shop: places, devices, names, and bots. Invented data. */
import { brazilianStates } from '#src/kit/brazil/values.ts';
import { slug } from './shop.ts';

/** Cities of Brazil by state, with the weight of each among all visitors. */
const cities: readonly (readonly [state: string, timeZone: string, cities: Readonly<Record<string, number>>])[] = [
  ['SP', 'America/Sao_Paulo', { 'São Paulo': 17, Campinas: 4.6, 'Ribeirão Preto': 2.2, Santos: 1.8, Sorocaba: 1.4 }],
  ['MG', 'America/Sao_Paulo', { 'Belo Horizonte': 6.4, 'Poços de Caldas': 2.4, Uberlândia: 1.9, 'Juiz de Fora': 1.1 }],
  ['RJ', 'America/Sao_Paulo', { 'Rio de Janeiro': 7.2, Niterói: 1.5 }],
  ['PR', 'America/Sao_Paulo', { Curitiba: 4.2, Londrina: 1.6, Maringá: 1.1 }],
  ['RS', 'America/Sao_Paulo', { 'Porto Alegre': 3.3, 'Caxias do Sul': 1.1 }],
  ['SC', 'America/Sao_Paulo', { Florianópolis: 1.9, Joinville: 1.2 }],
  ['DF', 'America/Sao_Paulo', { Brasília: 2.6 }],
  ['ES', 'America/Sao_Paulo', { Vitória: 1.4 }],
  ['GO', 'America/Sao_Paulo', { Goiânia: 1.5 }],
  ['BA', 'America/Bahia', { Salvador: 3.1, 'Vitória da Conquista': 0.9 }],
  ['PE', 'America/Recife', { Recife: 1.6 }],
  ['CE', 'America/Fortaleza', { Fortaleza: 1.7 }],
  ['RN', 'America/Fortaleza', { Natal: 0.6 }],
  ['PB', 'America/Fortaleza', { 'João Pessoa': 0.5 }],
  ['MA', 'America/Fortaleza', { 'São Luís': 0.4 }],
  ['PA', 'America/Belem', { Belém: 0.8 }],
  ['AM', 'America/Manaus', { Manaus: 0.7 }],
  ['MT', 'America/Cuiaba', { Cuiabá: 0.6 }],
  ['MS', 'America/Campo_Grande', { 'Campo Grande': 0.5 }],
  ['AL', 'America/Maceio', { Maceió: 0.3 }],
  ['SE', 'America/Maceio', { Aracaju: 0.3 }],
  ['PI', 'America/Fortaleza', { Teresina: 0.3 }],
  ['TO', 'America/Araguaina', { Palmas: 0.2 }],
  ['RO', 'America/Porto_Velho', { 'Porto Velho': 0.2 }],
  ['AC', 'America/Rio_Branco', { 'Rio Branco': 0.1 }],
];

const brazil = cities.flatMap(([region, timeZone, ofState]) =>
  Object.entries(ofState).map(([city, weight]): readonly [Place, number] => [
    { country: 'BR', region, regionName: brazilianStates[region] as string, city, timeZone, language: 'pt-BR' },
    weight,
  ]),
);

function abroad(
  country: string,
  timeZone: string,
  language: string,
  [region, regionName, city]: readonly [string, string, string],
): Place {
  return { country, region, regionName, city, timeZone, language };
}

/** Places of visitors, with percentages. */
export const places: readonly (readonly [place: Place, weight: number])[] = [
  ...brazil,
  [abroad('PT', 'Europe/Lisbon', 'pt-PT', ['11', 'Lisbon', 'Lisbon']), 3.9],
  [abroad('PT', 'Europe/Lisbon', 'pt-PT', ['13', 'Porto', 'Porto']), 1.9],
  [abroad('US', 'America/New_York', 'en-US', ['NY', 'New York', 'New York']), 4.1],
  [abroad('AR', 'America/Argentina/Buenos_Aires', 'es-AR', ['C', 'Buenos Aires F.D.', 'Buenos Aires']), 2.2],
  [abroad('DE', 'Europe/Berlin', 'de-DE', ['BE', 'State of Berlin', 'Berlin']), 1.4],
  [abroad('UY', 'America/Montevideo', 'es-UY', ['MO', 'Montevideo Department', 'Montevideo']), 1.1],
  [abroad('GB', 'Europe/London', 'en-GB', ['ENG', 'England', 'London']), 0.9],
  [abroad('JP', 'Asia/Tokyo', 'ja-JP', ['13', 'Tokyo', 'Tokyo']), 0.7],
  ...['FR', 'ES', 'IT', 'CL', 'PY', 'CO', 'MX', 'CA', 'AO', 'MZ', 'CH', 'NL'].map(
    (country) => [{ country, timeZone: 'Etc/UTC', language: 'en-US' }, 0.22] as const,
  ),
];

export interface Place {
  country: string;
  /** Code and name of the region, and the city. Absent: only the country is known. */
  region?: string;
  regionName?: string;
  city?: string;
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
