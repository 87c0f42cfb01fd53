/** Privacy requests that were carried out, without names. */
import type { PrivacyRequest } from '#src/privacy/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import records from '#views/kit/Records.module.css';
import { privacyWords } from '#views/words/privacy.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './privacy.module.css';

export interface ReceiptsProps {
  requests: readonly PrivacyRequest[];
  timeZone: string;
  /** Those that belong to what was searched for. */
  marked: readonly number[];
}

export function Receipts({ requests, timeZone, marked }: ReceiptsProps) {
  const text = usePart(privacyWords);
  const { format } = useWords();
  if (requests.length === 0) return <p>{text.noReceipts}</p>;
  return (
    <ul className={records['list']}>
      {requests.map(({ id, kind, state, subject, askedBy, askedAt, doneAt, counts }) => {
        const at = doneAt ?? askedAt;
        const rows = Object.entries(counts).filter(([, count]) => count > 0);
        const parts = rows.map(([table, count]) => text.tables[table]?.(count, format.number(count)) ?? table);
        return (
          <li key={id} className={classNames(records['entry'], marked.includes(id) && css['marked'])}>
            <p className={records['name']}>
              {text.kinds[kind]} <code className={css['code']}>{subject}</code>{' '}
              <span className={records['mark']}>{text.states[state]}</span>
            </p>
            <p className={records['note']}>
              {format.day(dateIn(at, timeZone), 0)}, {format.time(at, timeZone)} · {text.by(askedBy)}
            </p>
            {state !== 'waiting' && state !== 'expired' && (
              <p className={records['note']}>{parts.length === 0 ? text.nothing : parts.join(' · ')}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
