/** What an issue is called. */
import type { IssueSummary } from '#src/errors/contract.ts';

/** "TypeError: frete is undefined". */
export function issueName({ type, message }: Pick<IssueSummary, 'type' | 'message'>): string {
  const [line = ''] = message.split('\n');
  return line === '' ? type : `${type}: ${line}`;
}
