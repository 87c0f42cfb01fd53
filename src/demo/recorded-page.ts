/** Pages of the sample shop as the recorder sees them: trees of nodes with known places. Pure. */
import type { JsonObject } from '#src/kit/json.ts';
import { products, shop, titles } from './shop.ts';
import { pathOf } from './visits.ts';

/** A place on a page, CSS px. */
export interface Spot {
  id: number;
  x: number;
  y: number;
}

export interface RecordedPage {
  href: string;
  /** `data` of a full snapshot. */
  snapshot: JsonObject;
  /** The main button, a card or a link to look at, and fields. */
  button: Spot;
  looked: Spot[];
  fields: Spot[];
  /** Text of the note above the button, which changes. */
  note: number;
}

const SHEET = `*{box-sizing:border-box}body{margin:0;font:16px/1.5 Georgia,serif;color:#2b1d14;background:#fbf7f1}
header{position:fixed;inset:0 0 auto 0;height:64px;background:#3d2416;color:#fbf7f1;font:600 20px/64px Georgia,serif;padding:0 24px;z-index:2}
header nav{float:right;font:14px/64px system-ui,sans-serif;opacity:.85}
main{position:relative;max-width:1040px;margin:64px auto 0;padding:32px 24px;min-height:1400px}
h1{font-size:34px;line-height:1.2;margin:0 0 8px}p{max-width:60ch;margin:0 0 12px}
.note{position:absolute;top:250px;left:24px;font:14px system-ui,sans-serif;color:#7a5a42}
.buy{position:absolute;top:290px;left:24px;width:240px;height:48px;border:0;border-radius:6px;background:#b5552b;color:#fff;font:600 16px system-ui,sans-serif}
.buy.busy{opacity:.5}.cards{position:absolute;top:380px;left:24px;right:24px;display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:16px}
.card{height:190px;border-radius:8px;background:#efe2d0;padding:12px;font:14px/1.4 system-ui,sans-serif}.card i{display:block;height:96px;border-radius:6px;background:linear-gradient(135deg,#8a5a36,#d9a066);margin-bottom:8px}
input{display:block;position:absolute;left:24px;width:300px;height:40px;padding:0 12px;border:1px solid #c9b29a;border-radius:6px;font:15px system-ui,sans-serif;background:#fff}
.total{position:absolute;top:96px;right:24px;width:280px;padding:16px;border-radius:8px;background:#efe2d0;font:15px system-ui,sans-serif}
@media(max-width:700px){h1{font-size:26px}.total{display:none}.card{height:170px}}`;

/** Node id of the document, by which scrolling is named. */
export const DOCUMENT = 1;

const fieldNames = ['nome', 'email', 'cpf', 'cep'];

/** The page at a path, drawn for a viewport. */
export function recordedPage(page: string, [width]: readonly [number, number]): RecordedPage {
  let last = DOCUMENT;
  const text = (textContent: string): JsonObject => ({ type: 3, id: ++last, textContent });
  const element = (
    tagName: string,
    attributes: JsonObject,
    ...childNodes: JsonObject[]
  ): JsonObject & { id: number } => ({
    type: 2,
    id: ++last,
    tagName,
    attributes,
    childNodes,
  });
  const path = pathOf(page);
  const product = products.find((each) => each.path === path);
  const isCheckout = path === '/checkout';
  const title = product?.name ?? titles[path] ?? shop.name;
  const noteText = text(
    product ? `R$ ${product.price.toFixed(2).replace('.', ',')} · em estoque` : 'Torrado nesta semana',
  );
  const button = element('button', { class: 'buy', type: 'button' }, text(labelOf(path, product !== undefined)));
  const fields = isCheckout
    ? fieldNames.map((name, at) => element('input', { name, placeholder: name, style: `top:${390 + at * 56}px` }))
    : [];
  const shown = isCheckout ? [] : products.slice(0, 12);
  const cards = shown.map((each) => element('div', { class: 'card' }, element('i', {}), text(each.name)));
  const main = element(
    'main',
    {},
    element('h1', {}, text(title)),
    element('p', {}, text('Café fresco da serra, torrado toda semana e enviado em até dois dias úteis.')),
    element('p', { class: 'note' }, noteText),
    button,
    ...fields,
    element('div', { class: 'cards' }, ...cards),
    ...(isCheckout ? [element('div', { class: 'total' }, text('Resumo do pedido: 2 itens, R$ 119,80'))] : []),
  );
  const header = element(
    'header',
    {},
    text(shop.name),
    element('nav', {}, text('Cafés · Assinatura · Blog · Carrinho')),
  );
  const html = element(
    'html',
    { lang: 'pt-BR' },
    element('head', {}, element('title', {}, text(title)), element('style', { _cssText: SHEET })),
    element('body', {}, header, main),
  );
  const left = Math.max(0, (width - 1040) / 2) + 24;
  const columns = Math.max(1, Math.floor((Math.min(width, 1040) - 48 + 16) / 166));
  return {
    href: `https://${shop.host}${page}`,
    snapshot: {
      node: {
        type: 0,
        id: DOCUMENT,
        childNodes: [{ type: 1, id: ++last, name: 'html', publicId: '', systemId: '' }, html],
      },
      initialOffset: { left: 0, top: 0 },
    },
    button: { id: button.id, x: left + 110, y: 64 + 314 },
    looked: cards.slice(0, columns).map(({ id }, at) => ({ id, x: left + 70 + at * 166, y: 64 + 470 })),
    fields: fields.map(({ id }, at) => ({ id, x: left + 90, y: 64 + 410 + at * 56 })),
    note: noteText['id'] as number,
  };
}

function labelOf(path: string, isProduct: boolean): string {
  if (isProduct) return 'Adicionar ao carrinho';
  if (path === '/checkout') return 'Confirmar pedido';
  if (path === '/carrinho') return 'Finalizar pedido';
  return path === '/assinatura' ? 'Assinar' : 'Ver cafés';
}
