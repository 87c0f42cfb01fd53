/** Errors of the sample shop: in which release of which page what breaks, and for how many. Pure; draws nothing from the story's own chance. */
import type { JsonObject } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import { calls } from './built.ts';
import { createRandom } from './random.ts';
import { shop } from './shop.ts';
import { type Action, pathOf, type Visit } from './visits.ts';

interface Call {
  function: string;
  file: string;
  line: number;
  column: number;
  /** Of a library. */
  isLibrary?: boolean;
  /** The line of the source code, with some before and after it. */
  source?: [before: string[], line: string, after: string[]];
}

interface Failure {
  type: string;
  value(random: ReturnType<typeof createRandom>): string;
  cause?: { type: string; value: string };
  handled: boolean;
  /** Beginning of the paths on which it happens. */
  page: string;
  /** Share of the views of such a page. */
  share: number;
  /** Days before the end of the story: from, and until which it happened. */
  from: number;
  until: number;
  /** The entry point first. */
  calls: Call[];
}

const react: Call[] = [
  {
    function: 'performWorkUntilDeadline',
    file: 'node_modules/scheduler/index.js',
    line: 44,
    column: 50,
    isLibrary: true,
  },
  { function: 'renderWithHooks', file: 'node_modules/react-dom/client.js', line: 5529, column: 24, isLibrary: true },
];

const failures: Failure[] = [
  {
    type: 'TypeError',
    value: () => "Cannot read properties of undefined (reading 'valor')",
    handled: false,
    page: '/checkout',
    share: 0.09,
    from: 4,
    until: 0,
    calls: [
      ...react,
      { function: 'ResumoLateral', file: 'src/checkout/resumo-lateral.tsx', line: 22, column: 11 },
      { function: 'resumoDoPedido', file: 'src/checkout/resumo.tsx', line: 91, column: 18 },
      {
        function: 'calcularFrete',
        file: 'src/checkout/frete.ts',
        line: 48,
        column: 26,
        source: [
          [
            'export function calcularFrete(cep: string, itens: Item[]) {',
            '  const tabela = tabelaPorRegiao(regiaoDoCep(cep));',
            '  const peso = itens.reduce((t, i) => t + i.gramas * i.quantidade, 0);',
            '  const frete = tabela?.faixas.find((f) => peso <= f.ate);',
          ],
          '  return { valor: frete.valor, prazo: frete.prazoDias };',
          ['}', '', '// Acima de 30 kg a transportadora cobra por cotação.'],
        ],
      },
    ],
  },
  {
    type: 'TypeError',
    value: () => 'Failed to fetch',
    handled: true,
    page: '/produtos',
    share: 0.008,
    from: 90,
    until: 0,
    calls: [
      { function: 'ListaDeProdutos', file: 'src/produtos/lista.tsx', line: 37, column: 5 },
      { function: 'buscarProdutos', file: 'src/lib/api.ts', line: 112, column: 20 },
    ],
  },
  {
    type: 'RangeError',
    value: () => 'Invalid time value',
    handled: false,
    page: '/conta',
    share: 0.03,
    from: 40,
    until: 0,
    calls: [...react, { function: 'formatarData', file: 'src/pedidos/lista.tsx', line: 31, column: 14 }],
  },
  {
    type: 'Error',
    value: (random) => `Estoque insuficiente: pedido de ${random.int(2, 9)}, restam ${random.int(0, 1)}`,
    cause: { type: 'HttpError', value: '409 estoque_insuficiente' },
    handled: false,
    page: '/carrinho',
    share: 0.02,
    from: 25,
    until: 0,
    calls,
  },
  {
    type: 'NotAllowedError',
    value: () => 'play() failed because the user didn’t interact with the document first.',
    handled: true,
    page: '/colheita-2026',
    share: 0.05,
    from: 60,
    until: 0,
    calls: [{ function: 'HeroVideo', file: 'src/home/hero.tsx', line: 77, column: 9 }],
  },
  {
    type: 'ChunkLoadError',
    value: (random) => `Loading chunk ${random.int(100, 900)} failed.`,
    handled: false,
    page: '/',
    share: 0.004,
    from: 9,
    until: 6,
    calls: [{ function: 'importar', file: 'src/lib/carregar.ts', line: 24, column: 3 }],
  },
];

/** A new release each week; the last one came four days before the end. */
export function releaseAt(at: number, end: number): string {
  const week = Math.floor((end - 4 * dayMs - at) / (7 * dayMs));
  const date = new Date(end - 4 * dayMs - (Math.max(-1, week) + 1) * 7 * dayMs);
  return `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}.${date.getUTCDate()}`;
}

/** Properties of the exception that a view of a page ends in; null: none. @param seed of the view */
export function failureOn(path: string, at: number, end: number, seed: number): JsonObject | null {
  const random = createRandom(seed);
  const daysAgo = (end - at) / dayMs;
  for (const failure of failures) {
    const isHere = failure.page === '/' ? path === '/' : path.startsWith(failure.page);
    if (isHere && daysAgo <= failure.from && daysAgo >= failure.until && random.chance(failure.share)) {
      return exceptionOf(failure, releaseAt(at, end), random);
    }
  }
  return null;
}

function exceptionOf(failure: Failure, release: string, random: ReturnType<typeof createRandom>): JsonObject {
  const { type, handled, cause, calls } = failure;
  return {
    $exception_level: handled ? 'warning' : 'error',
    release,
    $exception_list: [
      {
        type,
        value: failure.value(random),
        mechanism: { type: handled ? 'generic' : 'onerror', handled, synthetic: false, exception_id: 0 },
        stacktrace: { type: 'raw', frames: calls.map(frameOf) },
      },
      ...(cause === undefined
        ? []
        : [{ ...cause, mechanism: { type: 'chained', source: 'cause', exception_id: 1, parent_id: 0 } }]),
    ],
  };
}

function frameOf({ file, line, column, isLibrary = false, source, function: name }: Call): JsonObject {
  return {
    platform: 'web:javascript',
    filename: `https://${shop.host}/${file}`,
    function: name,
    lineno: line,
    colno: column,
    in_app: !isLibrary,
    ...(source !== undefined && { pre_context: source[0], context_line: source[1], post_context: source[2] }),
  };
}

/** Delay from the view to what fails, ms. */
const AFTER_VIEW_MS = 1_400;

/** A visit's actions with what failed in them, in their order. */
export function withFailures({ session, actions }: Pick<Visit, 'session' | 'actions'>, end: number): Action[] {
  const seed = Number.parseInt(session.slice(-8), 16);
  return actions.flatMap((action, index) => {
    if (action.event !== '$pageview') return [action];
    const properties = failureOn(pathOf(action.page), action.at, end, seed + index);
    if (properties === null) return [action];
    const { set: _, ...rest } = action;
    const at = Math.min(action.at + AFTER_VIEW_MS, actions[index + 1]?.at ?? Number.POSITIVE_INFINITY);
    return [action, { ...rest, at, event: '$exception', properties }];
  });
}
