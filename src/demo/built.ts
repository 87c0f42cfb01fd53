/** A script of the sample shop as its build made it, and the source map that its deployment uploaded. */

/** Where the shop serves it. */
export const SCRIPT = 'assets/carrinho-D4kq81Vn.js';

const CODE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a script that has them
  '(()=>{var n=new Map;function o(t){return n.get(t)??0}function a(t,e){let r=o(e.sku);if(e.quantidade>r)throw new Error(`Estoque insuficiente: pedido de ${e.quantidade}, restam ${r}`);return[...t,e]}function i(t){let e=[];for(let r of t)e=a(e,r);return e}addEventListener("submit",t=>i(JSON.parse(String(new FormData(t.target).get("itens")))));})();';

/** Column of a piece of the script, whose only line is the first. */
function columnOf(piece: string): number {
  return CODE.indexOf(piece) + 1;
}

/** How an item that is out of stock is thrown in it, the entry point first. */
export const calls = [
  { function: 'HTMLFormElement.<anonymous>', file: SCRIPT, line: 1, column: columnOf('i(JSON') },
  { function: 'i', file: SCRIPT, line: 1, column: columnOf('a(e,r)') },
  { function: 'a', file: SCRIPT, line: 1, column: columnOf('new Error') },
];

const SOURCE = `export interface Item {
  sku: string;
  quantidade: number;
}

/** Estoque por produto, como a loja o conhece. */
const estoque = new Map<string, number>();

export function restante(sku: string): number {
  return estoque.get(sku) ?? 0;
}

export function adicionarItem(carrinho: Item[], item: Item): Item[] {
  const restam = restante(item.sku);
  if (item.quantidade > restam) {
    throw new Error(\`Estoque insuficiente: pedido de \${item.quantidade}, restam \${restam}\`);
  }
  return [...carrinho, item];
}

export function confirmarCarrinho(itens: Item[]): Item[] {
  let carrinho: Item[] = [];
  // Cada item é conferido de novo: o estoque pode ter mudado.
  for (const item of itens) carrinho = adicionarItem(carrinho, item);
  return carrinho;
}

addEventListener('submit', (event) => confirmarCarrinho(JSON.parse(String(new FormData(event.target as HTMLFormElement).get('itens')))));
`;

/** As esbuild wrote it. */
export const sourceMap = JSON.stringify({
  version: 3,
  sources: ['src/carrinho/store.ts'],
  sourcesContent: [SOURCE],
  mappings:
    'MAMA,IAAMA,EAAU,IAAI,IAEb,SAASC,EAASC,EAAqB,CAC5C,OAAOF,EAAQ,IAAIE,CAAG,GAAK,CAC7B,CAEO,SAASC,EAAcC,EAAkBC,EAAoB,CAClE,IAAMC,EAASL,EAASI,EAAK,GAAG,EAChC,GAAIA,EAAK,WAAaC,EACpB,MAAM,IAAI,MAAM,mCAAmCD,EAAK,UAAU,YAAYC,CAAM,EAAE,EAExF,MAAO,CAAC,GAAGF,EAAUC,CAAI,CAC3B,CAEO,SAASE,EAAkBC,EAAuB,CACvD,IAAIJ,EAAmB,CAAC,EAExB,QAAWC,KAAQG,EAAOJ,EAAWD,EAAcC,EAAUC,CAAI,EACjE,OAAOD,CACT,CAEA,iBAAiB,SAAWK,GAAUF,EAAkB,KAAK,MAAM,OAAO,IAAI,SAASE,EAAM,MAAyB,EAAE,IAAI,OAAO,CAAC,CAAC,CAAC,CAAC',
  names: [
    'estoque',
    'restante',
    'sku',
    'adicionarItem',
    'carrinho',
    'item',
    'restam',
    'confirmarCarrinho',
    'itens',
    'event',
  ],
});
