import type { JsonObject } from '#src/kit/json.ts';
import type { RecordedEvent } from '#src/kit/recording/events.ts';
import { isSecretField, isSecretValue, maskSecrets } from '#src/kit/recording/mask.ts';
import { createSummary } from '#src/kit/recording/summary.ts';
import { click, consoleError, full, input, meta, mutation, request } from './recorded.ts';

const mask = (events: JsonObject[], known: number[] = []) => {
  const copies = structuredClone(events) as RecordedEvent[];
  const { fields } = maskSecrets(copies, known);
  return { fields, text: JSON.stringify(copies) };
};

describe('fields', () => {
  it.each([
    { type: 'password' },
    { type: 'text', 'data-rr-is-password': 'true' },
    { autocomplete: 'cc-number' },
    { autocomplete: 'section-a cc-csc' },
    { autocomplete: 'new-password' },
    { name: 'customer[cpf]' },
    { id: 'cardNumber' },
    { placeholder: 'Número do cartão' },
    { 'aria-label': 'Senha' },
  ])('are secret by %j', (attributes) => expect(isSecretField(attributes)).toBe(true));

  it.each([
    { name: 'email' },
    { autocomplete: 'name' },
    { type: 'button', name: 'password-toggle' },
    { name: 'passenger' },
  ])('are not by %j', (attributes) => expect(isSecretField(attributes)).toBe(false));

  it('are secret by values that can be nothing else', () => {
    expect(['529.982.247-25', '52998224725', '4111 1111 1111 1111', '5500-0000-0000-0004'].map(isSecretValue)).toEqual(
      Array(4).fill(true),
    );
    expect(['529.982.247-26', '111.111.111-11', '4111111111111112', '2026-11-26', ''].map(isSecretValue)).toEqual(
      Array(5).fill(false),
    );
  });
});

describe('masking', () => {
  it('takes values out of snapshots, input and changed attributes, and leaves those of other fields', () => {
    const { text } = mask([
      full(1, [
        { type: 'password', value: 'geheim-1' },
        { name: 'email', value: 'ana@shop.example' },
      ]),
      input(2, 10, 'geheim-2'),
      input(3, 11, 'bia@shop.example'),
      mutation(4, { attributes: [{ id: 10, attributes: { value: 'geheim-3' } }] }),
      mutation(5, {
        adds: [{ parentId: 3, node: { type: 2, id: 20, tagName: 'input', attributes: { name: 'cvv', value: '987' } } }],
      }),
      input(6, 20, '987654'),
    ]);
    expect(text).not.toMatch(/geheim|987/);
    expect(text).toContain('ana@shop.example');
    expect(text).toContain('bia@shop.example');
  });

  it('knows a field from before, and one whose value betrays it also for what was typed before', () => {
    expect(mask([input(1, 77, 'geheim')], [77])).toEqual({ fields: [77], text: expect.not.stringContaining('geheim') });
    const typed = mask([full(1, [{ name: 'doc' }]), input(2, 10, '529.982.2'), input(3, 10, '529.982.247-25')]);
    expect(typed.text).not.toContain('529');
    expect(typed.fields).toEqual([10]);
  });

  it('forgets fields of a page that was left', () => {
    const { text, fields } = mask([
      full(1, [{ type: 'password' }]),
      full(2, [{ name: 'city' }]),
      input(3, 10, 'Recife'),
    ]);
    expect(text).toContain('Recife');
    expect(fields).toEqual([]);
  });
});

describe('summary', () => {
  it('counts what happened', () => {
    const summary = createSummary();
    const events = [
      meta(0, 'https://shop.example/cart?token=x'),
      full(1),
      ...[1_000, 1_300, 1_600, 1_900].map((at) => click(at)),
      input(4_000, 10, 'a'),
      consoleError(4_100),
      request(4_200, 'https://shop.example/api'),
      click(20_000),
      { type: 5, data: { tag: '$pageview', payload: { href: 'https://shop.example/checkout' } }, timestamp: 21_000 },
    ];
    for (const event of events) summary.add(event as RecordedEvent);
    expect(summary.result()).toEqual({
      clicks: 5,
      keys: 1,
      errors: 1,
      warns: 0,
      networkErrors: 1,
      rageClicks: 1,
      activeMs: 3_000,
      pages: 1,
      urls: ['/cart', '/checkout'],
      width: 1280,
      height: 720,
    });
  });
});
