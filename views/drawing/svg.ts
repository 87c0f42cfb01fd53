/** SVG as text. Pure. */

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What was captured is text, and never markup. Characters that XML does not have are left out. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML refuses
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (sign) => escapes[sign] as string)
  );
}

/** An element. @param content its elements; text has to be escaped */
export function tag(name: string, attributes: Attributes, content = ''): string {
  const own = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : ` ${key}="${escaped(numberText(value))}"`))
    .join('');
  return content === '' ? `<${name}${own}/>` : `<${name}${own}>${content}</${name}>`;
}

/** To the hundredth of a pixel. */
function numberText(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

export function text(content: string, x: number, y: number, attributes: Attributes = {}): string {
  return tag('text', { x, y, ...attributes }, escaped(content));
}

/** At most so many characters, cut in the middle. */
export function shortened(content: string, most: number): string {
  if (content.length <= most) return content;
  const head = Math.ceil((most - 1) / 2);
  return `${content.slice(0, head).toWellFormed()}…${content.slice(-(most - 1 - head)).toWellFormed()}`;
}

/** Pixels of a text of 12 px, about. */
export function widthOf(content: string): number {
  return content.length * 6.6;
}
