/**
 * Simulates a visit to the sample shop: entry page, reading, clicks, cart, sometimes a purchase.
 * Rates are those of a small shop; a bounce lasts less than ten seconds. Pure.
 */
import { hash } from 'node:crypto';
import { enrollmentProperty } from '#src/flags/values.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Random } from './random.ts';
import { CHECKOUT_FLAG, elsewhere, ORDER_FLAG, type Product, posts, products, searches, shop, titles } from './shop.ts';
import type { Source } from './sources.ts';
import type { Visitor, Visitors } from './visitors.ts';

/** Something that happened on a page. */
export interface Action {
  at: number;
  event: string;
  /** Path and query of the page. */
  page: string;
  properties: JsonObject;
  /** Person properties that are set with it. */
  set?: JsonObject;
  /** The id under which it was done. */
  distinctId: string;
  identified: boolean;
}

export interface Visit {
  visitor: Visitor;
  source: Source;
  session: string;
  window: string;
  landing: string;
  actions: Action[];
  /** Set when the visit ended in an order. */
  order: { id: string; at: number; value: number } | null;
}

type Kind = 'home' | 'list' | 'product' | 'post' | 'subscription' | 'cart' | 'checkout' | 'thanks' | 'other';
type Next = Kind | 'end';

/** Transitions between kinds of pages, by weight. */
const ways = waysOf({
  home: { list: 30, product: 24, subscription: 15, post: 9, other: 7, end: 11 },
  list: { product: 58, list: 8, home: 12, subscription: 5, end: 15 },
  product: { product: 25, list: 16, subscription: 9, post: 5, home: 15, end: 26 },
  post: { post: 23, product: 17, home: 18, list: 8, subscription: 5, end: 23 },
  subscription: { checkout: 4, list: 14, home: 22, product: 14, end: 38 },
  cart: { checkout: 42, list: 16, product: 14, end: 26 },
  checkout: { thanks: 46, cart: 12, end: 42 },
  thanks: { home: 14, other: 16, end: 70 },
  other: { home: 30, list: 16, product: 10, end: 40 },
});

const others = ['/sobre', '/contato', '/entregas', '/conta', '/conta/pedidos'];
const byWeight = products.map((product) => [product, product.weight] as const);
const postsByWeight = posts.map((path, index) => [path, 12 / (1 + index)] as const);

/** A visit while it goes on. */
interface Walk {
  readonly visit: Visit;
  readonly random: Random;
  readonly visitors: Visitors;
  /** A bounce: ends on its first page, within ten seconds. */
  readonly isShort: boolean;
  now: number;
  page: string;
  cart: { product: Product; quantity: number }[];
}

/** The previous page and its scroll depth. */
interface Previous {
  page: string;
  at: number;
  seen: number;
}

/** Generates one visit; it may extend beyond the end of the story. */
export function makeVisit(at: number, visitor: Visitor, source: Source, random: Random, visitors: Visitors): Visit {
  const page = landingOf(source, random);
  const visit: Visit = {
    visitor,
    source,
    session: random.uuid(at),
    window: random.uuid(at),
    landing: page,
    actions: [],
    order: null,
  };
  const walk: Walk = { visit, random, visitors, isShort: random.chance(source.bounce), now: at, page, cart: [] };
  let previous: Previous | null = null;
  for (;;) {
    act(walk, '$pageview', { title: titleOf(walk.page), ...cameFrom(previous, walk.now, visitor.device.viewport[1]) });
    const begun = walk.now;
    const stay = walk.isShort
      ? 900 + random.next() * 8_600
      : Math.min(900_000, Math.max(2_500, random.around(36_000, 0.95)));
    const at = (share: number): void => {
      walk.now = begun + stay * share;
    };
    if (previous === null && stay > 5_000 && random.chance(0.72)) {
      at(Math.min(0.9, 5_000 / stay));
      act(walk, '$web_vitals', vitals(visitor, random));
    }
    const next = stayOn(walk, at);
    previous = { page: walk.page, at: begun, seen: Math.min(1, random.around(walk.isShort ? 0.35 : 0.62, 0.4)) };
    walk.now = begun + stay;
    if (next === 'end') break;
    goOn(walk, next);
  }
  if (random.chance(0.93)) act(walk, '$pageleave', cameFrom(previous, walk.now, visitor.device.viewport[1]));
  return visit;
}

function act(walk: Walk, event: string, properties: JsonObject = {}, set?: JsonObject): void {
  const { visitor, actions } = walk.visit;
  actions.push({
    at: Math.floor(walk.now),
    event,
    page: walk.page,
    properties,
    distinctId: visitor.customer?.email ?? visitor.anonymousId,
    identified: visitor.customer !== null,
    ...(set && { set }),
  });
}

/** Simulates a page; returns the next one. */
function stayOn(walk: Walk, at: (share: number) => void): Next {
  const { visit, random, isShort } = walk;
  const { owner, customer } = visit.visitor;
  const kind = kindOf(walk.page);
  let next: Next = isShort ? 'end' : random.weighted(ways[kind]);
  if (kind === 'list') callFlag(walk, at);
  if (kind === 'product') next = lookAtProduct(walk, at) ?? next;
  if (kind === 'checkout') next = checkOut(walk, at, next);
  if (kind === 'thanks' && walk.cart.length > 0) completeOrder(walk, at);
  if (owner !== null && customer === null && pathOf(walk.page) === '/conta') identify(walk);
  if (!isShort && random.chance(0.005)) {
    at(0.9);
    act(walk, 'newsletter_inscrita', { origem: kind === 'post' ? 'blog' : 'rodapé' });
  }
  if (!isShort && random.chance(0.02)) {
    const [title, href] = random.weighted(elsewhere);
    at(0.8);
    act(walk, '$autocapture', { ...click('a', title, href, random), $external_click_url: href });
  }
  return next;
}

/** The list of products asks in which order to show them. */
function callFlag(walk: Walk, at: (share: number) => void): void {
  at(0.01);
  act(walk, '$feature_flag_called', { $feature_flag: ORDER_FLAG, $feature_flag_response: orderFor(walk) });
}

/** People who see what is new mark more products as favorites. */
const favoriteShare = { 'mais-vendidos': 0.09, novidades: 0.17 };

function orderFor({ visit }: Walk): keyof typeof favoriteShare {
  return shareOf(`${ORDER_FLAG}.${visit.visitor.anonymousId}variant`) < 0.5 ? 'mais-vendidos' : 'novidades';
}

/** Of this visit and product: the same in every telling, and without changing what else is drawn. */
function drawn({ visit }: Walk, sku: string): number {
  return shareOf(`${visit.session} ${sku}`);
}

/** Between 0 and 1, as feature flags have it. */
function shareOf(text: string): number {
  return Number.parseInt(hash('sha1', text).slice(0, 15), 16) / 2 ** 60;
}

function lookAtProduct(walk: Walk, at: (share: number) => void): Next | null {
  const { random, cart, isShort } = walk;
  const product = products.find(({ path }) => path === pathOf(walk.page)) as Product;
  at(0.05);
  act(walk, 'produto_visto', { produto: product.name, sku: product.sku, valor: product.price, moeda: shop.currency });
  if (drawn(walk, product.sku) < favoriteShare[orderFor(walk)]) act(walk, 'favoritou_produto', { sku: product.sku });
  if (isShort || !random.chance(0.17)) return null;
  const quantity = random.weighted([
    [1, 70],
    [2, 24],
    [3, 6],
  ] as const);
  at(0.6);
  act(walk, '$autocapture', click('button', 'Adicionar ao carrinho', null, random));
  act(walk, 'adicionou_ao_carrinho', {
    produto: product.name,
    sku: product.sku,
    quantidade: quantity,
    valor: round(product.price * quantity),
    moeda: shop.currency,
  });
  cart.push({ product, quantity });
  return random.chance(0.74) ? 'cart' : null;
}

function checkOut(walk: Walk, at: (share: number) => void, next: Next): Next {
  const { random, cart } = walk;
  if (cart.length === 0) cart.push({ product: random.weighted(byWeight), quantity: 1 });
  at(0.1);
  act(walk, 'checkout_iniciado', { itens: cart.length, valor: totalOf(walk), moeda: shop.currency });
  if (random.chance(0.07)) {
    return random.chance(0.6) ? 'end' : next;
  }
  if (next === 'thanks') {
    at(0.5);
    identify(walk);
  }
  return next;
}

function completeOrder(walk: Walk, at: (share: number) => void): void {
  const { visit, random, cart } = walk;
  at(0.02);
  const order = { id: `CS-${random.int(100_000, 999_999)}`, at: Math.floor(walk.now), value: totalOf(walk) };
  act(walk, 'pedido_concluido', {
    pedido: order.id,
    valor: order.value,
    moeda: shop.currency,
    itens: cart.length,
    pagamento: random.weighted([
      ['pix', 58],
      ['cartão', 36],
      ['boleto', 6],
    ] as const),
  });
  visit.order = order;
  walk.cart = [];
}

/** Share of customers who turn the new checkout on, and of those who choose at all. */
const MOST_TURN_ON = 0.2;
const MOST_CHOOSE = 0.23;

function identify(walk: Walk): void {
  const { visitor } = walk.visit;
  if (visitor.customer !== null) return;
  const { name, email } = walk.visitors.register(visitor);
  act(walk, '$identify', { $anon_distinct_id: visitor.anonymousId }, { name, email });
  const chosen = shareOf(`${email} ${CHECKOUT_FLAG}`);
  if (chosen > MOST_CHOOSE) return;
  const enrollment = { $feature_flag: CHECKOUT_FLAG, $feature_enrollment: chosen < MOST_TURN_ON };
  act(walk, '$feature_enrollment_update', enrollment, { [enrollmentProperty(CHECKOUT_FLAG)]: chosen < MOST_TURN_ON });
}

/** Leaves the page for another, by a click or a search. */
function goOn(walk: Walk, next: Kind): void {
  const { random } = walk;
  const isSearch = next === 'list' && (pathOf(walk.page) === '/produtos' || random.chance(0.12));
  if (isSearch) {
    const term = random.pick(searches);
    act(walk, 'buscou_produto', { termo: term, resultados: random.int(0, 12) });
    walk.page = `/produtos?busca=${encodeURIComponent(term)}`;
  } else {
    const target = targetOf(next, walk.visit.visitor, random);
    if (random.chance(0.62)) act(walk, '$autocapture', click('a', titleOf(target), target, random));
    walk.page = target;
  }
  walk.now += 120 + random.next() * 500;
}

/** Height of every page of the shop, CSS px. */
const PAGE_HEIGHT = 1_464;

/** Part of the page that was seen, when it was scrolled so far. */
function seenOf(scrolled: number, viewportHeight: number): number {
  const seen = Math.min(PAGE_HEIGHT, viewportHeight);
  return (seen + scrolled * (PAGE_HEIGHT - seen)) / PAGE_HEIGHT;
}

function cameFrom(previous: Previous | null, now: number, viewportHeight: number): JsonObject {
  if (previous === null) return {};
  return {
    $prev_pageview_pathname: pathOf(previous.page),
    $prev_pageview_duration: round((now - previous.at) / 1000),
    $prev_pageview_max_scroll_percentage: round(previous.seen),
    $prev_pageview_max_content_percentage: round(seenOf(previous.seen, viewportHeight)),
  };
}

function totalOf({ cart }: Walk): number {
  return round(cart.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0));
}

function waysOf(shares: Record<Kind, Partial<Record<Next, number>>>): Record<Kind, [Next, number][]> {
  const lists = Object.entries(shares).map(([kind, nexts]) => [kind, Object.entries(nexts)]);
  return Object.fromEntries(lists) as Record<Kind, [Next, number][]>;
}

export function pathOf(page: string): string {
  return page.split('?', 1)[0] as string;
}

function kindOf(page: string): Kind {
  const path = pathOf(page);
  if (path === '/') return 'home';
  if (path === '/produtos' || path === '/colheita-2026') return 'list';
  if (path.startsWith('/produtos/')) return 'product';
  if (path.startsWith('/blog/')) return 'post';
  if (path === '/assinatura') return 'subscription';
  if (path === '/carrinho') return 'cart';
  if (path === '/checkout') return 'checkout';
  return path === '/checkout/obrigado' ? 'thanks' : 'other';
}

function targetOf(kind: Kind, { owner, customer }: Visitor, random: Random): string {
  switch (kind) {
    case 'home':
      return '/';
    case 'list':
      return '/produtos';
    case 'product':
      return random.weighted(byWeight).path;
    case 'post':
      return random.weighted(postsByWeight);
    case 'subscription':
      return '/assinatura';
    case 'cart':
      return '/carrinho';
    case 'checkout':
      return '/checkout';
    case 'thanks':
      return '/checkout/obrigado';
    case 'other':
      return owner !== null && customer === null ? '/conta' : random.pick(others);
  }
}

function landingOf(source: Source, random: Random): string {
  const path = random.weighted(source.landings);
  const page = path === '*' ? random.weighted(byWeight).path : path === '#' ? random.weighted(postsByWeight) : path;
  return source.campaign ? `${page}?${new URLSearchParams(source.campaign)}` : page;
}

function titleOf(page: string): string {
  const path = pathOf(page);
  const product = products.find((each) => each.path === path);
  if (product) return product.name;
  return titles[path] ?? shop.name;
}

function click(tag: 'a' | 'button', text: string, href: string | null, random: Random): JsonObject {
  const place = random.int(1, 6);
  const link = href === null ? '' : `attr__href="${href}"href="${href}"`;
  const styled = tag === 'a' ? 'ligacao' : 'botao';
  const element = `${tag}.${styled}:attr__class="${styled}"${link}nth-child="${place}"nth-of-type="${place}"text="${text}"`;
  return {
    $event_type: 'click',
    $ce_version: 1,
    $el_text: text,
    $elements_chain: `${element};main:nth-child="2"nth-of-type="1";body:nth-child="2"nth-of-type="1"`,
  };
}

function vitals({ device }: Visitor, random: Random): JsonObject {
  const slow = device.type === 'Mobile' ? 1.5 : 1;
  return {
    $web_vitals_LCP_value: round(random.around(1_350 * slow, 0.45)),
    $web_vitals_FCP_value: round(random.around(820 * slow, 0.4)),
    $web_vitals_INP_value: Math.round(random.around(70 * slow, 0.6) / 8) * 8,
    $web_vitals_CLS_value: Math.round(random.around(0.03, 0.9) * 10_000) / 10_000,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
