/**
 * The newest requests that were refused as a whole. They reached no project, so nothing of them is stored; whoever is installing wants to know
 * all the same that something knocked, and why it was not let in. Kept in this process only.
 */
import type { IncomingMessage } from 'node:http';
import type { RecentRefusal, RefusalReason } from './contract.ts';

export interface Refusals {
  note(reason: RefusalReason, req: IncomingMessage, at: number): void;
  /** The newest one since `from` of the kinds that a mistake in a snippet makes, from one of these hosts; `null`: from any. */
  newest(from: number, hosts: ReadonlySet<string> | null): RecentRefusal | null;
}

const KEPT = 100;

export function createRefusals(): Refusals {
  let kept: RecentRefusal[] = [];
  return {
    note(reason, { headers }, at) {
      if (reason !== 'token' && reason !== 'invalid') return;
      const refusal = {
        at,
        reason,
        host: hostOf(headers.origin ?? headers.referer),
        contentType: headers['content-type']?.slice(0, 100) ?? null,
      };
      kept = [refusal, ...kept].slice(0, KEPT);
    },
    newest(from, hosts) {
      return kept.find(({ at, host }) => at >= from && (hosts === null || (host !== null && hosts.has(host)))) ?? null;
    },
  };
}

function hostOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : null;
}
