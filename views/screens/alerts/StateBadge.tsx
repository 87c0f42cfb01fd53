/** The state of an alert in a word, and since when. */
import type { AlertSummary } from '#src/alerts/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Alerts.module.css';

export function StateBadge({ alert, timeZone }: { alert: AlertSummary; timeZone: string }) {
  const own = usePart(alertWords);
  const { format } = useWords();
  const now = useServerTime();
  const isSnoozed = alert.snoozedUntil !== null && alert.snoozedUntil > now;
  const look = alert.active && alert.state === 'firing' && css['firing'];
  return (
    <span>
      <span className={classNames(css['badge'], look)}>{alert.active ? own.states[alert.state] : own.off}</span>
      {alert.active && alert.state !== 'ok' && (
        <span className={css['sub']}>{own.since(format.dayMoment(alert.stateAt, timeZone))}</span>
      )}
      {alert.acknowledgedBy !== null && <span className={css['sub']}>{own.by(alert.acknowledgedBy)}</span>}
      {isSnoozed && (
        <span className={css['sub']}>{own.snoozedUntil(format.dayMoment(alert.snoozedUntil ?? 0, timeZone))}</span>
      )}
    </span>
  );
}
