/** A target in words: "Webhook: example.com", "Email: Rui, Ada". */
import type { AlertTarget } from '#src/alerts/contract.ts';
import type { AlertWords } from '#views/words/alerts.ts';

export function targetText({ kind, place, members }: Omit<AlertTarget, 'id'>, own: AlertWords): string {
  const what = kind === 'email' ? members.map(({ name }) => name).join(', ') || own.nobody : place;
  return `${own.targets[kind]}: ${what}`;
}
