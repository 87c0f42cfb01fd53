/** Current visitors, and the state of the stream. */
import { MinuteBars } from '#views/charts/MinuteBars.tsx';
import { Lens } from '#views/kit/Icon.tsx';
import { missing } from '#views/words/format.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './StreamSummary.module.css';
import type { Stream } from './use-stream.ts';

export function StreamSummary({ stream: { summary } }: { stream: Stream }) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const { peopleNow, eventsPerMinute, delayMs, minutes } = summary;
  const rate = Math.round(eventsPerMinute);
  const figures = [
    [format.number(peopleNow), live.people(peopleNow)],
    [format.number(rate), live.perMinute(rate)],
    [delayMs === null ? missing : format.delay(Math.max(0, delayMs)), live.delay],
  ] as const;
  const count = format.number(minutes.length);
  return (
    <div className={css['summary']}>
      {figures.map(([value, label]) => (
        <p key={label}>
          <b className={`${css['figure']} num`}>{value}</b>
          <span className={css['label']}>{label}</span>
        </p>
      ))}
      <figure className={css['minutes']}>
        <MinuteBars minutes={minutes} now={5} name={live.minutes(count)} />
        <figcaption className={css['label']} aria-hidden="true">
          <span>{live.minutesAgo(count)}</span>
          <span>{live.now}</span>
        </figcaption>
      </figure>
    </div>
  );
}

export function StreamStatus({ stream, paused, timeZone }: { stream: Stream; paused: boolean; timeZone: string }) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const last = stream.waiting[0] ?? stream.rows[0];
  const lost = stream.connection === 'lost';
  return (
    <p className={`${css['status']} script-only`} role="status">
      <Lens live={stream.connection === 'live' && !paused} />
      {lost
        ? live.reconnecting(last ? format.clock(last.receivedAt, timeZone) : null)
        : paused
          ? live.paused
          : stream.connection === 'live'
            ? live.on
            : live.connecting}
    </p>
  );
}
