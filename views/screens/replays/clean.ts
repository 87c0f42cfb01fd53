/**
 * Takes out of recorded pages what would reach the network, or lead elsewhere, when they are drawn. The policy of the stage refuses it as well;
 * without it, nothing is refused, and nothing of it is in the console. Pure: changes the event that it is given.
 */
import { FULL_SNAPSHOT, fieldOf, isMutation, listOf, type RecordedEvent, textOf } from './recorded.ts';

const ELEMENT = 2;
const DATA = /^\s*(data:|blob:|#)/i;
/** Attributes that browsers fetch, of any element. */
const fetched = ['src', 'srcset', 'poster', 'background', 'data', 'xlink:href', 'imagesrcset'];
/** Links that are not style sheets fetch, connect or only look up a host; none is seen. */
const styleLink = /^\s*(?:alternate\s+)?stylesheet\s*$/i;

/** @param loads pictures, styles and fonts of the recorded site may be loaded */
export function cleanEvent(event: RecordedEvent, loads: boolean): RecordedEvent {
  if (event.type === FULL_SNAPSHOT) cleanNode(fieldOf(event.data, 'node'), loads);
  else if (isMutation(event)) {
    for (const added of listOf(fieldOf(event.data, 'adds'))) cleanNode(fieldOf(added, 'node'), loads);
    for (const changed of listOf(fieldOf(event.data, 'attributes'))) {
      const attributes = fieldOf(changed, 'attributes');
      if (isRecord(attributes)) cleanAttributes('', attributes, loads);
    }
  }
  return event;
}

function cleanNode(root: unknown, loads: boolean): void {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isRecord(node)) continue;
    if (node['type'] === ELEMENT && isRecord(node['attributes'])) {
      cleanAttributes(textOf(node['tagName']).toLowerCase(), node['attributes'], loads);
    }
    for (const child of listOf(node['childNodes'])) waiting.push(child);
  }
}

function cleanAttributes(tag: string, attributes: Record<string, unknown>, loads: boolean): void {
  delete attributes['ping'];
  if (tag === 'meta') delete attributes['http-equiv'];
  if (tag === 'base') delete attributes['href'];
  // A style sheet that the recorder read is in `_cssText`.
  if (tag === 'link' && (!loads || !styleLink.test(textOf(attributes['rel']))) && !('_cssText' in attributes)) {
    delete attributes['href'];
  }
  if (tag === 'iframe' || tag === 'frame' || tag === 'embed' || tag === 'object') {
    for (const name of ['src', 'data', 'srcdoc']) delete attributes[name];
  }
  if (loads) return;
  for (const name of fetched) {
    const value = attributes[name];
    if (typeof value !== 'string' || DATA.test(value)) continue;
    attributes[`data-${name.replace(':', '-')}`] = value;
    delete attributes[name];
  }
  // SVG: `image` and `use` elements.
  if ((tag === 'image' || tag === 'use') && !DATA.test(textOf(attributes['href']))) delete attributes['href'];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
