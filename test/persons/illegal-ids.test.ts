import { isIllegalId } from '#src/persons/illegal-ids.ts';

describe('isIllegalId', () => {
  it.each([
    ...[
      'anonymous',
      'Guest',
      'DISTINCTID',
      'distinct_id',
      'Id',
      'not_authenticated',
      'EMAIL',
      'Undefined',
      'TRUE',
      'false',
    ],
    ...[
      '[object Object]',
      'NaN',
      'None',
      'none',
      'null',
      '0',
      'undefined',
      '$posthog_cookieless',
      '"null"',
      "'anonymous'",
      '""',
      "' '",
      ' ',
      '\t\n',
      '',
    ],
  ])('refuses %j', (id) => expect(isIllegalId(id)).toBe(true));

  it.each(['NULL', 'nan', '00', 'null ', 'anonymous1', '"null\'', 'a@b.c', '1', '"', 'ação', '[object object]'])(
    'takes %j',
    (id) => expect(isIllegalId(id)).toBe(false),
  );
});
