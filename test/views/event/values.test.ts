import { eventJson, typeOf, webAddress } from '#views/event/values.ts';

describe('webAddress', () => {
  it.each([
    ['https://loja.serrana.example/produtos?a=1#x', 'https://loja.serrana.example/produtos?a=1#x'],
    ['HTTP://example.com', 'http://example.com/'],
    ['javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    ['vbscript:x', null],
    [' https://example.com', null],
    ['https://example.com and more', null],
    ['https://', null],
    ['//example.com', null],
    ['file:///etc/passwd', null],
    [`https://example.com/${'a'.repeat(2_000)}`, null],
    ['java\nscript:alert(1)', null],
  ])('%j', (text, address) => {
    expect(webAddress(text)).toBe(address);
  });
});

describe('typeOf', () => {
  it.each([
    [null, 'null'],
    ['x', 'text'],
    ['https://example.com', 'URL'],
    [1, 'number'],
    [false, 'boolean'],
    [[1], 'list'],
    [{}, 'object'],
  ] as const)('%j is %s', (value, type) => {
    expect(typeOf(value as never)).toBe(type);
  });
});

describe('eventJson', () => {
  it('has the shape in which clients send events', () => {
    const text = eventJson({
      ts: 0,
      receivedAt: 5,
      uuid: 'u',
      event: 'e',
      distinctId: 'd',
      session: null,
      person: { uuid: 'p', identified: false, label: null, properties: {} },
      properties: [{ name: 'a', value: [1, null], type: 'list' }],
      marks: [],
    });
    expect(JSON.parse(text)).toEqual({
      uuid: 'u',
      event: 'e',
      distinct_id: 'd',
      timestamp: '1970-01-01T00:00:00.000Z',
      properties: { a: [1, null] },
    });
  });
});
