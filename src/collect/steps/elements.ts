/** The chain of elements from an autocaptured click, for clients that send the elements one by one. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isObject } from '../envelope.ts';

const MAX_TEXT = 400;
const MAX_HREF = 2048;
const MAX_ELEMENTS = 200;

/**
 * `$elements` in the one-line form: elements joined by `;`, the target first; each is tag, `.class` for each class sorted, `:` and
 * `key="value"` sorted by key. Null when there are no elements.
 */
export function elementsChain(elements: JsonValue | undefined): string | null {
  if (!Array.isArray(elements) || elements.length === 0) return null;
  const parts = elements.slice(0, MAX_ELEMENTS).filter(isObject).map(elementText);
  return parts.length === 0 ? null : parts.join(';');
}

function elementText(element: JsonObject): string {
  const tag = textOf(element['tag_name']) ?? '';
  const listed = element['attr_class'] ?? element['attr__class'] ?? element['classes'];
  const classes = (Array.isArray(listed) ? listed.map(textOf) : (textOf(listed)?.split(/\s+/) ?? []))
    .filter((name): name is string => name !== null && name !== '')
    .sort();

  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(element)) {
    const text = textOf(value);
    if (text !== null && name.startsWith('attr__')) attributes.set(name, text);
  }
  const set = (name: string, value: JsonValue | undefined, limit: number) => {
    const text = textOf(value);
    if (text !== null) attributes.set(name, text.slice(0, limit));
  };
  set('attr_id', element['attr_id'] ?? element['attr__id'], MAX_TEXT);
  set('href', element['href'] ?? element['attr__href'], MAX_HREF);
  set('nth-child', element['nth_child'], MAX_TEXT);
  set('nth-of-type', element['nth_of_type'], MAX_TEXT);
  set('text', element['$el_text'] ?? element['text'], MAX_TEXT);

  const dotted = classes.map((name) => `.${name.replaceAll('"', '')}`).join('');
  const quoted = [...attributes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replaceAll('"', '\\"')}"`)
    .join('');
  return `${tag}${dotted}${quoted === '' ? '' : `:${quoted}`}`;
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
