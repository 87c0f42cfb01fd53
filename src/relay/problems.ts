/** Problems of an upstream: stored messages, and their kinds. Pure. */
import type { RelayProblem, RelayProblemKind } from './contract.ts';

const NOT_REACHED = 'Upstream unreachable';
/** How older versions began the same sentence; some are still stored. */
const NOT_REACHED_BEFORE = 'The upstream could not be reached';
export const QUEUE_FULL = 'Queue full. New requests are stored here but not forwarded.';

/** Safe to show: the code of what failed, never an address. */
export function describeUnreachable(cause: unknown): string {
  const code = codeOf(cause);
  return code === null ? `${NOT_REACHED}.` : `${NOT_REACHED} (${code}).`;
}

/** Message with the error code, for operators; clients get less detail. */
export function withCode({ message, cause }: Error): string {
  return message === `${NOT_REACHED}.` ? describeUnreachable(cause) : message;
}

export function describeStatus(status: number): string {
  return `The upstream responded with ${status}.`;
}

/** Code of an error or one of its causes. */
function codeOf(error: unknown): string | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth++) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  }
  return null;
}

/** Kinds by error code; the first match wins. */
const unreached: [RelayProblemKind, RegExp][] = [
  ['refused', /^ECONNREFUSED$/],
  ['name', /^(ENOTFOUND|EAI_\w+|ENODATA)$/],
  ['late', /^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT)$/],
  ['brokenOff', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
  [
    'tls',
    /^(EPROTO|ERR_(TLS|SSL)_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|\w+_CERT\w*|CRL_\w+|HOSTNAME_MISMATCH)$/,
  ],
];

/** Kind of a stored message, also of those stored before kinds existed. */
export function toRelayProblem({ at, message }: Pick<RelayProblem, 'at' | 'message'>): RelayProblem {
  return { at, message, ...kindOf(message) };
}

export function kindOf(message: string): Pick<RelayProblem, 'kind' | 'status'> {
  const status = Number(
    /^(?:Upstream|The upstream) (?:responded with|answered|answers, but with status) (\d{3})\b/.exec(message)?.[1] ?? 0,
  );
  if (status > 0) return { kind: kindOfStatus(status), status };
  if (message === QUEUE_FULL || message.startsWith('The queue is full')) return { kind: 'queueFull', status: null };
  if (message.startsWith(NOT_REACHED) || (message.startsWith(NOT_REACHED_BEFORE) && !message.includes(' in time'))) {
    const code = /\(([A-Z0-9_]+)\)/.exec(message)?.[1] ?? '';
    return { kind: unreached.find(([, codes]) => codes.test(code))?.[0] ?? 'unreachable', status: null };
  }
  if (/^The upstream (closed the connection|stopped sending|broke off|stopped in the middle)/.test(message))
    return { kind: 'brokenOff', status: null };
  if (/in time\.$|timed out|too slowly\.$|stopped reading|^No (answer|response) within/.test(message))
    return { kind: 'late', status: null };
  return { kind: null, status: null };
}

function kindOfStatus(status: number): RelayProblemKind {
  if (status === 401 || status === 403) return 'key';
  if (status === 429) return 'busy';
  return status >= 400 && status < 500 ? 'declined' : 'failing';
}
