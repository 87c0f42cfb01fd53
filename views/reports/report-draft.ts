/** A report as its form holds it. Pure. */
import { isMailAddress } from '#src/mail/contract.ts';
import type { RecipientInput, Report, ReportInput, ReportSubject } from '#src/reports/contract.ts';
import type { ReportSchedule } from '#src/reports/values.ts';

export type AddressInput = Extract<RecipientInput, { kind: 'address' }>;

export interface Draft {
  /** `summary`, `dashboard 1` or `insight 1`. */
  subject: string;
  schedule: ReportSchedule;
  /** Accounts. */
  members: readonly number[];
  addresses: readonly AddressInput[];
  /** An address that was typed and not added yet. */
  typed: string;
  /** Of that address. */
  typedLanguage: AddressInput['language'];
}

export function subjectKey({ kind, id }: { kind: string; id?: number | null | undefined }): string {
  return kind === 'summary' ? 'summary' : `${kind} ${id}`;
}

export function subjectOf(key: string): ReportSubject {
  const [kind, id] = key.split(' ');
  if (kind === 'dashboard' || kind === 'insight') return { kind, id: Number(id) };
  return { kind: 'summary' };
}

/** Of a new report: the week, on the first working day. */
export function newDraft(subject: string, self: number, language: AddressInput['language']): Draft {
  const schedule = { frequency: 'weekly', weekday: 1, hour: 8 } as const;
  return { subject, schedule, members: [self], addresses: [], typed: '', typedLanguage: language };
}

export function draftOf({ subject, schedule, recipients }: Report, language: AddressInput['language']): Draft {
  return {
    typed: '',
    typedLanguage: language,
    subject: subjectKey(subject),
    schedule,
    members: recipients.flatMap(({ account, state }) =>
      account === null || state === 'unsubscribed' ? [] : [account],
    ),
    addresses: recipients.flatMap(({ address, language, timeZone, state }) =>
      address === null || state === 'unsubscribed' ? [] : [{ kind: 'address' as const, address, language, timeZone }],
    ),
  };
}

/** With the address that was typed; null: it is none. */
export function withTyped(draft: Draft): Draft | null {
  const address = draft.typed.trim();
  if (address === '') return draft;
  if (!isMailAddress(address)) return null;
  const others = draft.addresses.filter((each) => each.address.toLowerCase() !== address.toLowerCase());
  return { ...draft, typed: '', addresses: [...others, { kind: 'address', address, language: draft.typedLanguage }] };
}

export function inputOf({ subject, schedule, members, addresses }: Draft): ReportInput {
  return {
    subject: subjectOf(subject),
    schedule,
    recipients: [...members.map((account) => ({ kind: 'member' as const, account })), ...addresses],
  };
}

/** The address of the mail as it would be sent. */
export function previewAddress(project: string, { subject, schedule }: Draft, as: 'html' | 'text'): string {
  const input = JSON.stringify({ subject: subjectOf(subject), schedule });
  return `/project/${project}/reports/preview?${new URLSearchParams({ input, as })}`;
}
