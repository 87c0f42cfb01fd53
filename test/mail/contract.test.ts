import { isMailAddress, oneLine, senderOf } from '#src/mail/contract.ts';

describe('an address', () => {
  it.each(['a@b.co', "o'neil+luneta@mail.example.com", 'UPPER@Example.COM', `${'a'.repeat(64)}@example.com`])(
    '%s is one',
    (text) => expect(isMailAddress(text)).toBe(true),
  );

  it.each([
    ['no domain', 'a'],
    ['a domain of one part', 'a@localhost'],
    ['two addresses', 'a@example.com,b@example.com'],
    ['two addresses with a semicolon', 'a@example.com;b@example.com'],
    ['a display name', 'A <a@example.com>'],
    ['a quoted name', '"a b"@example.com'],
    ['a line end', 'a@example.com\r\nBcc: b@example.com'],
    ['a line end at the end', 'a@example.com\n'],
    ['an encoded line end', 'a%0d%0a@example.com\u0000'],
    ['a space', 'a b@example.com'],
    ['two at signs', 'a@b@example.com'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['a comment', 'a(b)@example.com'],
    ['a domain that begins with a dash', 'a@-example.com'],
    ['two dots in the domain', 'a@example..com'],
    ['letters of other scripts', 'joão@example.com'],
    ['a local part that is too long', `${'a'.repeat(65)}@example.com`],
    [
      'a text that is too long',
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example.com`,
    ],
  ])('%s is none', (_, text) => expect(isMailAddress(text)).toBe(false));
});

it('reads the sender with and without a name', () => {
  expect(senderOf('Luneta <luneta@example.com>')).toEqual({ email: 'luneta@example.com', name: 'Luneta' });
  expect(senderOf('"Luneta, mail" <luneta@example.com>')).toEqual({
    email: 'luneta@example.com',
    name: 'Luneta, mail',
  });
  expect(senderOf(' luneta@example.com ')).toEqual({ email: 'luneta@example.com', name: '' });
  for (const text of ['Luneta', 'Luneta <luneta>', 'a@example.com, b@example.com', 'A\r\nB <a@example.com>']) {
    expect(senderOf(text)).toBeNull();
  }
});

it('makes one line of anything', () => {
  expect(oneLine('Team\r\nBcc: evil@example.com')).toBe('Team Bcc: evil@example.com');
  expect(oneLine('a\u2028b\u2029c\u0000d\u202ee\u0085f')).toBe('a b c d e f');
  expect(oneLine('x'.repeat(300))).toHaveLength(200);
});
