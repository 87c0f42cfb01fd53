/** What may stand in the lists of a project's settings, and the form in which it is stored. */
import { isOriginAllowed } from '#src/collect/steps/names.ts';
import {
  addressEntry,
  domainEntry,
  entriesOf,
  hostEntry,
  idEntry,
  isTimeZone,
  originEntry,
  tokenEntry,
} from '#src/projects/values.ts';

it.each([
  ['https://loja.example', 'https://loja.example'],
  ['loja.example', 'https://loja.example'],
  ['HTTPS://Loja.Example/', 'https://loja.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://loja.example:443', 'https://loja.example'],
  ['https://*.loja.example', 'https://*.loja.example'],
  ['*.loja.example', 'https://*.loja.example'],
  ['https://café.example', 'https://xn--caf-dma.example'],
  ['https://[::1]:8080', 'https://[::1]:8080'],
  ['loja serrana', null],
  ['https://loja.example/path', null],
  ['https://loja.example?a=1', null],
  ['ftp://loja.example', null],
  ['https://*', null],
  ['https://a.*.example', null],
  ['https://loja.example:99999', null],
  ['https://user@loja.example', null],
  ['javascript:alert(1)', null],
  ['', null],
])('origin %j is %j', (text, expected) => expect(originEntry(text)).toBe(expected));

it('an origin as it is stored lets browsers in that send it', () => {
  const stored = [originEntry('*.Loja.example') as string, originEntry('café.example') as string];
  expect(isOriginAllowed('https://www.loja.example', stored)).toBe(true);
  expect(isOriginAllowed('https://xn--caf-dma.example', stored)).toBe(true);
  expect(isOriginAllowed('https://loja.example', stored)).toBe(false);
  expect(isOriginAllowed('https://evilloja.example', stored)).toBe(false);
});

it.each([
  ['localhost', 'localhost'],
  ['LOCALHOST:3000', 'localhost:3000'],
  ['*.preview.example', '*.preview.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['https://loja.example', null],
  ['loja..example', null],
  ['-loja.example', null],
  ['a b', null],
])('host %j is %j', (text, expected) => expect(hostEntry(text)).toBe(expected));

it.each([
  ['PagSeguro.uol.com.br', 'pagseguro.uol.com.br'],
  ['www.mercadopago.com.br', 'mercadopago.com.br'],
  ['*.pay.example', 'pay.example'],
  ['café.example', 'xn--caf-dma.example'],
  ['localhost', 'localhost'],
  ['pay.example:443', null],
  ['https://pay.example', null],
  ['pay.example/checkout', null],
  ['www.', null],
  ['', null],
])('domain %j is %j', (text, expected) => expect(domainEntry(text)).toBe(expected));

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['::1', '::1'],
  ['203.0.113.256', null],
  ['203.0.113.', null],
  ['203.0.113', null],
  ['203.0.113.0/33', null],
  ['2001:db8::/129', null],
  ['2001:db8:::1', null],
  ['/24', null],
  ['loja.example', null],
])('address %j is %j', (text, expected) => expect(addressEntry(text)).toBe(expected));

it.each([
  ['user-1', 'user-1'],
  [' marina@serrana.example ', 'marina@serrana.example'],
  ['@serrana.example', '@serrana.example'],
  ['@', null],
  ['@serrana example', null],
  ['x'.repeat(201), null],
])('id %j is %j', (text, expected) => expect(idEntry(text)).toBe(expected));

it.each([
  ['phc_existing', 'phc_existing'],
  [' lnt_abc ', 'lnt_abc'],
  ['phx_secret', null],
  ['lnk_secret', null],
  ['two words', null],
  ['abc', null],
])('token %j is %j', (text, expected) => expect(tokenEntry(text)).toBe(expected));

it('entries stand on lines or between commas', () => {
  expect(entriesOf(' a, b\n\nc ,')).toEqual(['a', 'b', 'c']);
});

it('time zones are names of the calendar, not offsets', () => {
  expect(['America/Sao_Paulo', 'UTC', 'Asia/Kathmandu'].map(isTimeZone)).toEqual([true, true, true]);
  expect(['', '+03:00', 'Mars/Base', 'America'].map(isTimeZone)).toEqual([false, false, false, false]);
});
