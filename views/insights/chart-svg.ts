/** Charts and tables as SVG: drawings as they are, boxes as rectangles and text as text, so that drawing programs can edit them. */

const PADDING = 24;
const TITLE_HEIGHT = 32;
/** From the middle of a line of text to its baseline, by the size of its letters. */
const TO_BASELINE = 0.35;

/** Presentation attributes of what is drawn already. */
const drawnStyles = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'vector-effect',
  'paint-order',
] as const;

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** @param elements one below the other, as the page shows them */
export function svgOf(elements: readonly HTMLElement[], title: string): Blob {
  const shown = elements.filter(({ offsetHeight }) => offsetHeight > 0);
  const boxes = shown.map((element) => element.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map(({ right }) => right)) - left) + 2 * PADDING;
  const height = Math.ceil(Math.max(...boxes.map(({ bottom }) => bottom)) - top) + 2 * PADDING + TITLE_HEIGHT;
  const root = made('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  const page = getComputedStyle(document.body);
  root.append(made('rect', { width: '100%', height: '100%', fill: page.backgroundColor }));
  root.append(textOf(title, PADDING, PADDING + 14, { ...lettersOf(page), 'font-size': '16px', 'font-weight': '600' }));
  const origin = { x: left - PADDING, y: top - PADDING - TITLE_HEIGHT };
  for (const element of shown) draw(element, root, origin);
  return new Blob([new XMLSerializer().serializeToString(root)], { type: 'image/svg+xml' });
}

interface Origin {
  x: number;
  y: number;
}

function draw(element: Element, into: SVGElement, origin: Origin): void {
  const style = getComputedStyle(element);
  if (isHidden(element, style)) return;
  const box = element.getBoundingClientRect();
  const place = { x: box.left - origin.x, y: box.top - origin.y, width: box.width, height: box.height };
  if (element instanceof SVGSVGElement) {
    const copy = drawnCopy(element);
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
    copy.setAttribute('overflow', style.overflow === 'hidden' ? 'hidden' : 'visible');
    into.append(copy);
    return;
  }
  drawBox(style, place, into);
  for (const child of element.childNodes) {
    if (child instanceof Element) draw(child, into, origin);
    else if (child instanceof Text) drawText(child, element, into, origin);
  }
}

/** Also text that only screen readers have, and controls: nobody can choose in an image. */
function isHidden(element: Element, { display, visibility, clipPath, opacity }: CSSStyleDeclaration): boolean {
  if (display === 'none' || visibility === 'hidden' || opacity === '0') return true;
  return clipPath.startsWith('inset(50%') || element.matches('input, select');
}

function drawBox(
  style: CSSStyleDeclaration,
  place: Origin & { width: number; height: number },
  into: SVGElement,
): void {
  const { x, y, width, height } = place;
  if (!isClear(style.backgroundColor)) {
    const rx = Number.parseFloat(style.borderTopLeftRadius) || 0;
    into.append(made('rect', { ...place, rx, fill: style.backgroundColor }));
  }
  const line = Number.parseFloat(style.borderBottomWidth);
  if (line > 0 && style.borderBottomStyle !== 'none' && !isClear(style.borderBottomColor)) {
    into.append(made('rect', { x, y: y + height - line, width, height: line, fill: style.borderBottomColor }));
  }
}

function isClear(color: string): boolean {
  return color === 'transparent' || /[,/]\s*0(\.0+)?\)$/.test(color);
}

function drawText(text: Text, parent: Element, into: SVGElement, origin: Origin): void {
  const style = getComputedStyle(parent);
  const letters = lettersOf(style);
  for (const line of linesOf(text)) {
    const x = line.box.left - origin.x;
    const middle = line.box.top + line.box.height / 2 - origin.y;
    into.append(textOf(line.text, x, middle + Number.parseFloat(style.fontSize) * TO_BASELINE, letters));
  }
}

/** The lines that a text is broken into, without what is cut off at the edge of its box. */
function linesOf(text: Text): { text: string; box: DOMRect }[] {
  const lines: { text: string; box: DOMRect }[] = [];
  const range = document.createRange();
  for (const { index, 0: word } of text.data.matchAll(/\S+\s*/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const box = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.box.top - box.top) < 2) last.text += word;
    else if (box.width > 0) lines.push({ text: word, box });
  }
  const edge = text.parentElement?.closest('.clip');
  if (edge && edge.scrollWidth > edge.clientWidth && lines[0] !== undefined) {
    const kept = Math.floor((lines[0].text.length * edge.clientWidth) / edge.scrollWidth) - 1;
    lines[0].text = `${lines[0].text.slice(0, Math.max(1, kept))}…`;
  }
  return lines;
}

function drawnCopy(element: SVGElement): SVGElement {
  const copy = element.cloneNode(true) as SVGElement;
  const originals = [element, ...element.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [at, own] of copies.entries()) {
    const computed = getComputedStyle(originals[at] as SVGElement);
    for (const name of drawnStyles) own.setAttribute(name, computed.getPropertyValue(name));
    own.removeAttribute('class');
  }
  return copy;
}

function lettersOf(style: CSSStyleDeclaration): Record<string, string> {
  return {
    fill: style.color,
    'font-family': style.fontFamily,
    'font-size': style.fontSize,
    'font-weight': style.fontWeight,
  };
}

function textOf(content: string, x: number, y: number, letters: Record<string, string>): SVGElement {
  const text = made('text', { x, y, ...letters });
  text.textContent = content.trimEnd();
  return text;
}

function made(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
