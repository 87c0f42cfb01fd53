/**
 * The second net under the client's own masking: values of password, card and CPF fields are taken out of a recording, even if a client sent
 * them. A field is known by its attributes, or by a value that can be nothing else. Pure.
 */
import type { JsonObject, JsonValue } from '../json.ts';
import { eventType, incrementalOf, isObject, type RecordedEvent, source } from './events.ts';

/** What stands in place of a value: the same for any length. */
const MASKED = '********';
/** Node ids that are remembered of one window. */
export const MAX_SECRET_FIELDS = 500;

/** Words in names, ids and labels of secret fields. */
const SECRET_NAME =
  /passw|senha|passphrase|\bpwd\b|\bpin\b|cvv|cvc|\bcsc\b|card.?num|num.?card|credit.?card|cart[aã]o|cardholder|\bcpf\b|cpf|cnpj|\bssn\b|one.?time.?code|\botp\b/i;
const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:cc-\S+|current-password|new-password|one-time-code)(?:\s|$)/i;
const NAMING = ['name', 'id', 'placeholder', 'aria-label', 'data-testid'];
/** Their value is a label or a state, and no input of the visitor. */
const PLAIN_TYPES = new Set(['button', 'submit', 'reset', 'checkbox', 'radio', 'image', 'file', 'range', 'color']);

/**
 * Masks the events of one window, in the order of time.
 *
 * @param known ids of secret fields of the page, from events before these
 * @returns ids known after them, and which events were changed
 */
export function maskSecrets(
  events: readonly RecordedEvent[],
  known: readonly number[],
): { fields: number[]; changed: Set<RecordedEvent> } {
  const changed = new Set<RecordedEvent>();
  let fields = new Set(known);
  for (let from = 0; from < events.length; ) {
    // A full snapshot names all fields again. Of a page that was left, ids mean something else now.
    let to = from + 1;
    while (to < events.length && events[to]?.type !== eventType.fullSnapshot) to++;
    if (events[from]?.type === eventType.fullSnapshot) fields = new Set();
    const part = events.slice(from, to);
    // Twice: a value may betray its field only after it was typed half.
    for (const event of part) visitFields(event, (field) => learn(field, fields));
    for (const event of part) {
      visitFields(event, (field) => {
        if (!fields.has(field.id) || !isTold(field.value)) return;
        field.replace(MASKED);
        changed.add(event);
      });
    }
    from = to;
  }
  return { fields: [...fields].slice(-MAX_SECRET_FIELDS), changed };
}

interface Field {
  id: number;
  /** Null in an event that has only its value. */
  attributes: JsonObject | null;
  value: JsonValue | undefined;
  replace(text: string): void;
}

function learn({ id, attributes, value }: Field, fields: Set<number>): void {
  if ((attributes !== null && isSecretField(attributes)) || (typeof value === 'string' && isSecretValue(value))) {
    fields.add(id);
  }
}

function isTold(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '' && !/^[*•]+$/.test(value);
}

/** Fields of forms that an event tells of. */
function visitFields(event: RecordedEvent, visit: (field: Field) => void): void {
  if (event.type === eventType.fullSnapshot) {
    if (isObject(event.data)) visitNodes(event.data['node'], visit);
    return;
  }
  const data = incrementalOf(event);
  if (data === null) return;
  if (data['source'] === source.input) visitInput(data, visit);
  if (data['source'] !== source.mutation) return;
  for (const added of listOf(data['adds'])) if (isObject(added)) visitNodes(added['node'], visit);
  for (const changed of listOf(data['attributes'])) {
    if (!isObject(changed) || !isObject(changed['attributes']) || typeof changed['id'] !== 'number') continue;
    const attributes = changed['attributes'];
    visitAttributes(changed['id'], attributes, visit);
  }
}

function visitInput(data: JsonObject, visit: (field: Field) => void): void {
  if (typeof data['id'] !== 'number') return;
  const replace = (text: string) => {
    data['text'] = text;
  };
  visit({ id: data['id'], attributes: null, value: data['text'], replace });
}

function visitAttributes(id: number, attributes: JsonObject, visit: (field: Field) => void): void {
  const replace = (text: string) => {
    attributes['value'] = text;
  };
  visit({ id, attributes, value: attributes['value'], replace });
}

/** A loop: pages may be nested deeper than functions can call each other. */
function visitNodes(root: JsonValue | undefined, visit: (field: Field) => void): void {
  const nodes: (JsonValue | undefined)[] = [root];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (!isObject(node)) continue;
    const { id, tagName, attributes, childNodes } = node;
    if ((tagName === 'input' || tagName === 'textarea') && typeof id === 'number' && isObject(attributes)) {
      visitAttributes(id, attributes, visit);
    }
    for (const child of listOf(childNodes)) nodes.push(child);
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** True for a field that takes a password, a card or a CPF, by its attributes. */
export function isSecretField(attributes: JsonObject): boolean {
  const type = String(attributes['type'] ?? '').toLowerCase();
  if (type === 'password' || attributes['data-rr-is-password'] !== undefined) return true;
  if (PLAIN_TYPES.has(type)) return false;
  const { autocomplete } = attributes;
  if (typeof autocomplete === 'string' && SECRET_AUTOCOMPLETE.test(autocomplete)) return true;
  return NAMING.some((name) => typeof attributes[name] === 'string' && SECRET_NAME.test(attributes[name]));
}

const CPF = /^\s*\d{3}\.?\d{3}\.?\d{3}-?\d{2}\s*$/;
const CARD = /^\s*\d(?:[ -]?\d){12,18}\s*$/;

/** True for a text that is a CPF or the number of a card, by its check digits. */
export function isSecretValue(text: string): boolean {
  if (text.length > 40) return false;
  const digits = text.replace(/\D/g, '');
  return (CPF.test(text) && hasCpfDigits(digits)) || (CARD.test(text) && hasLuhnDigit(digits));
}

function hasCpfDigits(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let at = 0; at < length; at++) sum += Number(digits[at]) * (length + 1 - at);
    return ((sum * 10) % 11) % 10 === Number(digits[length]);
  });
}

function hasLuhnDigit(digits: string): boolean {
  if (/^0+$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
