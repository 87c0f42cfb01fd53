import { asSent, readable } from '#src/events/values.ts';

it.each([
  ['/busca/caf%C3%A9', '/busca/café'],
  ['/caf%c3%a9/p%C3%A3o-de-queijo', '/café/pão-de-queijo'],
  ['/%E4%BA%AC%E9%83%BD', '/京都'],
  ['/%F0%9F%98%80', '/😀'],
  ['/cafe%CC%81', '/cafe\u0301'],
])('%s is read as %s, and the other way round', (sent, read) => {
  expect(readable(sent)).toBe(read);
  expect(asSent(read)).toBe(sent.replace(/%../g, (byte) => byte.toUpperCase()));
  expect(asSent(sent)).toBe(sent);
});

it.each([
  ['signs of ASCII, which mean something else', '/a%20b%2Fc%3Fd%25C3'],
  ['what is no text', '/%C3%28/%A9/%E4%BA/%C3'],
  ['what turns the direction of the text', '/%E2%80%AEdual'],
  ['blanks', '/a%C2%A0b%E3%80%80c'],
  ['what is longer than it has to be', '/%C0%AF%E0%80%AF'],
  ['half a surrogate', '/%ED%A0%80'],
  ['letters as they are', '/café 100 %'],
])('%s stays as it was sent', (_, sent) => {
  expect(readable(sent)).toBe(sent);
});

it('sends half a sign as a mark for what cannot be written', () => {
  expect(asSent('/a\ud800b')).toBe('/a%EF%BF%BDb');
});
