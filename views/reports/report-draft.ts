/** A report as its form holds it. Pure. */
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
export function newDraft(subject: string, self: number): Draft {
  return { subject, schedule: { frequency: 'weekly', weekday: 1, hour: 8 }, members: [self], addresses: [] };
}

export function draftOf({ subject, schedule, recipients }: Report): Draft {
  return {
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
