import { detailOf, labelOf } from '#src/events/live-words.ts';

const bare = {
  event: 'x',
  distinctId: 'd',
  country: null,
  path: null,
  elementText: null,
  elementsChain: null,
  exceptionType: null,
  exceptionValue: null,
  own: null,
  person: null,
  identified: null,
  personName: null,
  personEmail: null,
};

describe('what an event is about', () => {
  it.each([
    [{ event: '$pageview', path: '/produtos' }, '/produtos'],
    [{ event: '$pageview' }, ''],
    [{ event: '$autocapture', elementText: ' Comprar ' }, 'Comprar'],
    [
      { event: '$autocapture', elementsChain: 'button.cta:attr__class="a;b"nth-child="2"text="Say \\"hi\\""' },
      'Say "hi"',
    ],
    [{ event: '$autocapture', elementsChain: 'a:href="/x";div:text="outer"' }, 'a'],
    [
      { event: '$exception', exceptionType: 'TypeError', exceptionValue: 'frete is undefined' },
      'TypeError: frete is undefined',
    ],
    [
      { event: '$web_vitals', own: { $web_vitals_LCP_value: 1912.4, $web_vitals_CLS_value: 0.0512 } },
      'LCP 1912 ms, CLS 0.051',
    ],
    [{ event: 'produto_visto', own: { sku: 'CV-500', produto: 'Catuaí Vermelho 500 g' } }, 'Catuaí Vermelho 500 g'],
    [{ event: 'pedido_concluido', own: { itens: 2, moeda: 'BRL', valor: 118.8 } }, 'itens 2, moeda BRL'],
    [{ event: '$identify', own: null }, ''],
  ])('%j', (source, wanted) => {
    expect(detailOf({ ...bare, ...source } as never)).toBe(wanted);
  });

  it('names a person by name, then e-mail, then not at all', () => {
    expect(labelOf('Caio Brandão', 'caio@exemplo.example')).toBe('Caio Brandão');
    expect(labelOf(' ', 'caio@exemplo.example')).toBe('caio@exemplo.example');
    expect(labelOf(7, null)).toBeNull();
  });
});
