/**
 * Detects internal traffic by the project's rules. It is stored and flagged, and excluded from reports by default like bots,
 * under its own name.
 */
import { BlockList, isIP } from 'node:net';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { Draft, StepContext } from './draft.ts';
import { visitorAddress } from './geo.ts';

const INTERNAL = eventMarks.bot | eventMarks.internal;

export function putInternal(draft: Draft, { project: { settings }, facts }: StepContext): null {
  const { sent, distinctId } = draft;
  const isOwn =
    isInternalAddress(visitorAddress(sent, facts.address), settings.internalAddresses) ||
    isInternalId(distinctId, settings.internalIds) ||
    (settings.internalHosts.length > 0 && isInternalHost(hostOf(sent['$host'], sent['$current_url']), settings));
  if (isOwn) draft.marks |= INTERNAL;
  return null;
}

/** The same for an event that was finished before its project was known; its address was not kept, so address rules do not apply. */
export function withInternalMark(event: FinishedEvent, settings: ProjectSettings): FinishedEvent {
  const page = event.groups.page ?? {};
  const host = hostOf(page['$host'] ?? event.properties['$host'], page['$current_url']);
  const isOwn = isInternalId(event.distinctId, settings.internalIds) || isInternalHost(host, settings);
  return isOwn ? { ...event, marks: event.marks | INTERNAL } : event;
}

/** With its port, as browsers report it; '' when it is not known. */
function hostOf(host: unknown, url: unknown): string {
  if (typeof host === 'string' && host !== '') return host.toLowerCase();
  return typeof url === 'string' ? (URL.parse(url)?.host ?? '') : '';
}

/** A rule without a port is for every port. */
function isInternalHost(host: string, { internalHosts }: Pick<ProjectSettings, 'internalHosts'>): boolean {
  if (host === '') return false;
  const name = host.replace(/:\d+$/, '');
  return internalHosts.some((entry) => {
    const rule = entry.toLowerCase();
    if (rule.startsWith('*.')) return name.endsWith(rule.slice(1));
    return rule === host || rule === name;
  });
}

function isInternalId(distinctId: string, rules: readonly string[]): boolean {
  if (rules.length === 0) return false;
  const id = distinctId.toLowerCase();
  return rules.some((entry) => {
    const rule = entry.toLowerCase();
    return rule.startsWith('@') ? id.endsWith(rule) : rule === id;
  });
}

function isInternalAddress(address: string | null, rules: readonly string[]): boolean {
  if (address === null || rules.length === 0) return false;
  const version = isIP(address);
  return version !== 0 && listOf(rules).check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** One list per set of rules: settings are new objects whenever they are read again. */
const lists = new WeakMap<readonly string[], BlockList>();

function listOf(rules: readonly string[]): BlockList {
  const known = lists.get(rules);
  if (known) return known;
  const list = new BlockList();
  for (const rule of rules) {
    const [address = '', bits] = rule.split('/');
    const version = isIP(address);
    if (version === 0) continue;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(rules, list);
  return list;
}
