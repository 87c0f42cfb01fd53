/**
 * Converts page patterns and CSS selectors to regular expressions for PostgreSQL. Elements of an autocaptured event are one line:
 * the target first, then its ancestors, joined by `;`; each is tag, `.class` for each class, `:` and `key="value"` pairs,
 * quotes in values written as `\"`. Pure.
 */
import { escaped } from '#src/kit/patterns/values.ts';

/** Elements of which one has this text. */
export function textPattern(text: string): string {
  return `[:"]text="${inside(text)}"`;
}

/** Elements of which one links there. */
export function hrefPattern(href: string): string {
  return `[:"](?:attr__)?href="${inside(href)}"`;
}

/** Pattern of elements that match a selector; null for invalid and unsupported selectors. */
export function selectorPattern(selector: string): string | null {
  const steps = stepsOf(selector.trim());
  if (steps === null) return null;
  let pattern = '(?:^|;)';
  for (const [place, { element, isParent }] of steps.entries()) {
    if (place > 0) pattern += isParent ? `${REST};` : `${REST};(?:${REST};)*`;
    pattern += element;
  }
  return pattern;
}

/** Part of a value between its quotes, and the rest of an element. */
const INSIDE = '(?:[^"\\\\]|\\\\.)*';
const REST = `(?:[^;"]|"${INSIDE}")*`;

function inside(text: string): string {
  return text.split('*').map(literal).join(INSIDE);
}

/** Escapes quotes as in a chain. */
function literal(text: string): string {
  return escaped(text.replaceAll('"', '\\"'));
}

interface Step {
  /** Pattern at the begin of an element. */
  element: string;
  /** The one before in the list lies directly in it. */
  isParent: boolean;
}

const NAME = String.raw`(?:[\w-]|[^\x00-\x7f]|\\.)+`;
const TAG = new RegExp(`^(?:\\*|${NAME})`, 'u');
const PART = new RegExp(
  String.raw`^(?:\.(?<className>${NAME})|#(?<id>${NAME})|\[\s*(?<attribute>[\w:-]+)\s*(?:(?<operator>[*^$]?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[\w-]+))\s*)?\]|:(?<nth>nth-child|nth-of-type)\(\s*(?<number>\d+)\s*\))`,
  'u',
);

/** The target first. */
function stepsOf(selector: string): Step[] | null {
  const steps: Step[] = [];
  for (let rest = selector; ; ) {
    const found = elementOf(rest);
    if (found === null) return null;
    const between = /^(\s*>\s*|\s+)/.exec(found.rest)?.[0];
    steps.unshift({ element: found.element, isParent: between?.includes('>') ?? false });
    if (found.rest === '') return steps;
    if (between === undefined) return null;
    rest = found.rest.slice(between.length);
  }
}

function elementOf(text: string): { element: string; rest: string } | null {
  const tag = TAG.exec(text)?.[0] ?? '';
  let rest = text.slice(tag.length);
  const asked: string[] = [];
  for (let part = PART.exec(rest); part !== null; part = PART.exec(rest)) {
    rest = rest.slice(part[0].length);
    asked.push(partPattern(part.groups as Record<string, string | undefined>));
  }
  if (tag === '' && asked.length === 0) return null;
  const name = tag === '' || tag === '*' ? '' : `${literal(unescaped(tag))}(?=[.:;]|$)`;
  return { element: `${asked.join('')}${name}`, rest };
}

function partPattern({
  className,
  id,
  attribute,
  operator,
  double,
  single,
  bare,
  nth,
  number,
}: Record<string, string | undefined>): string {
  if (className !== undefined) return `(?=[^;"]*\\.${literal(unescaped(className))}(?:[.:;]|$))`;
  if (id !== undefined) return has(`attr_{1,2}id="${literal(unescaped(id))}"`);
  if (nth !== undefined) return has(`${nth}="${number}"`);
  const name = `(?:attr__)?${literal(attribute as string)}`;
  const value = literal(double ?? single ?? bare ?? '');
  if (operator === undefined) return has(`${name}="`);
  const before = operator === '*=' || operator === '$=' ? INSIDE : '';
  const after = operator === '*=' || operator === '^=' ? INSIDE : '';
  return has(`${name}="${before}${value}${after}"`);
}

/** The element has this among its `key="value"`. */
function has(pair: string): string {
  return `(?=${REST}(?<=[:"])${pair})`;
}

function unescaped(name: string): string {
  return name.replaceAll(/\\(.)/gu, '$1');
}
