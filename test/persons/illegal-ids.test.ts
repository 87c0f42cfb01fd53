import { isIllegalId } from '#src/persons/illegal-ids.ts';
import fc from '#test/kit/fast-check.ts';

const words = [
  ...['null', 'nil', 'None', 'NaN', 'undefined', 'n/a', 'N.A.', 'not set', '(not set)', 'not_authenticated', 'unknown'],
  ...[
    'anonymous',
    'guest',
    'distinct_id',
    'userId',
    'user-id',
    'email',
    'true',
    'FALSE',
    'não definido',
    'visitante',
    'N/D',
    'anônimo',
    'NENHUM',
    'não autenticado',
  ],
];
const name = fc.stringMatching(/^[a-z][a-z_.]{0,12}$/);
const digits = fc.stringMatching(/^[1-9]\d{0,8}$/);
const templates = fc.tuple(
  name,
  fc.constantFrom(
    ...[
      '{{*}}',
      '{{ * }}',
      `\${*}`,
      '#{*}',
      '@{*}',
      '<%= * %>',
      '<% * %>',
      '{% * %}',
      '[[*]]',
      '{*}',
      '<*>',
      '[*]',
      '(*)',
    ],
    ...['%*%', '__*__', 'user-{{*}}', '{{*}}@example.com', `id:\${*}`, '%(*)s', '%{*}', '$(*)', '@(*)'],
    ...['{:*}', '{!*}', '<<*>>', '&lt;*&gt;', '%7B%7B*%7D%7D', '@Model.*'],
  ),
);
const code = fc.constantFrom(
  ...[
    '[object Object]',
    '[object object]',
    '[object Promise]',
    'function () { return 1 }',
    '() => user.id',
    'async () => {}',
  ],
  ...['class User {}', 'Symbol(id)', 'Promise { <pending> }', '<__main__.User object at 0x7f00>', '#<User:0x00007f>'],
  ...[
    'com.shop.User@1b2c3d4e',
    'System.Object',
    'java.lang.Object@6d06d69c',
    '{}',
    '[]',
    '[null]',
    '%s',
    '%d',
    '$user_id',
    ':id',
  ],
  ...[
    '%1$s',
    '$1',
    '*|USER_ID|*',
    '{0}',
    '&{0 <nil>}',
    'x => x.id',
    'lambda u: u.id',
    'void 0',
    'Optional(nil)',
    '#N/A',
  ],
  ...[
    'function () {\n  return 1;\n}',
    'user-[object Object]',
    'User@1b2c3d4e',
    'ObjectId("")',
    '[Ljava.lang.String;@1b2c3d4e',
  ],
);
/** Made of values that were not there. */
const madeOfNothing = fc
  .tuple(fc.constantFrom('undefined', 'null', 'NaN'), fc.constantFrom('', '-', '_', ':', ' ', ','))
  .chain(([nothing, between]) => fc.constantFrom(`${nothing}${between}${nothing}`, `user${between || '-'}${nothing}`));
const placeholderUuids = fc.constantFrom(
  '11111111-1111-1111-1111-111111111111',
  'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx',
  '00000000-0000-4000-8000-000000000000',
);
const numbers = fc.constantFrom('0', '00', '-0', '0.0', '0,00', '-1', '-1.0', '-Infinity', 'Infinity', 'inf');
const uuids = fc
  .tuple(fc.constantFrom('0', 'f', 'F'), fc.constantFrom('plain', 'bare', 'braces', 'urn'))
  .map(([digit, form]) => {
    const plain = [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-');
    return { plain, bare: plain.replaceAll('-', ''), braces: `{${plain}}`, urn: `urn:uuid:${plain}` }[form] as string;
  });
const punctuation = fc.string({
  unit: fc.constantFrom(...'-_.,;:!?/\\|*#+=<>()[]{}"\'` \t\n'),
  minLength: 0,
  maxLength: 5,
});

/** The ways in which the same nothing is written. */
const dressings = fc.constantFrom<(id: string) => string>(
  (id) => id,
  (id) => id.toUpperCase(),
  (id) => ` ${id}\t`,
  (id) => JSON.stringify(id),
  (id) => JSON.stringify(JSON.stringify(id)),
  (id) => `'${id}'`,
  (id) => `“${id}”`,
);

describe('isIllegalId', () => {
  it('refuses words for nothing, templates, code values, extreme numbers and uuids, and punctuation, however they are written', () => {
    const nothing = fc.oneof(
      fc.constantFrom(...words),
      templates.map(([field, template]) => template.replace('*', field)),
      code,
      numbers,
      uuids,
      placeholderUuids,
      madeOfNothing,
      punctuation,
    );
    fc.assert(
      fc.property(nothing, dressings, (id, dressed) => {
        // Upper case makes another program of code.
        const text = /[=({<@]/.test(id) ? id : dressed(id);
        expect([text, isIllegalId(text)]).toEqual([text, true]);
      }),
      { numRuns: 2_000 },
    );
    expect(isIllegalId('$posthog_cookieless')).toBe(true);
  });

  it('takes ids: numbers, addresses, uuids, hashes, names with a word for nothing in them', () => {
    const ids = fc.oneof(
      digits,
      fc.uuid({ version: [1, 4, 5, 7] }),
      fc.uuid({ version: 4 }).map((uuid) => `{${uuid.toUpperCase()}}`),
      fc.emailAddress().filter((address) => !address.includes('{')),
      fc.stringMatching(/^[0-9a-f]{12,64}$/).filter((hex) => !/^(0+|f+)$/.test(hex)),
      fc
        .tuple(fc.constantFrom(...words), digits)
        .map(([word, number]) => `${word.replaceAll(/[^\p{L}]/gu, '')}-${number}`),
      fc.tuple(name, digits).map(([prefix, number]) => `${prefix}|${number}`),
      fc.constantFrom(
        'ação',
        '王芳',
        'O’Neil',
        'guest@shop.example',
        'user:7',
        '-12',
        '1.0',
        'null island',
        '+55 11 98765-4321',
        '🦊',
      ),
      fc.constantFrom(
        'cus_NffrFeUfNV2Hib',
        'auth0|64f0',
        'arn:aws:iam::1:user/ana',
        'did:plc:abc',
        'name (work)',
        'a@b.c',
        'maria@ab12cd34',
        'system.admin',
        'and-then-there-were-none',
        '[12]',
      ),
    );
    fc.assert(
      fc.property(ids, (id) => {
        expect([id, isIllegalId(id)]).toEqual([id, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('answers at once for long ids', () => {
    for (const piece of ['{{', '${', '<%', '"', '(', 'a', '\\"', '[['])
      expect(typeof isIllegalId(piece.repeat(100))).toBe('boolean');
  });
});
