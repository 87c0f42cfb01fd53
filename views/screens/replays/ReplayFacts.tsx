/** Whose recording it is, from where and on what. */
import type { ReactNode } from 'react';
import type { ReplayDetail } from '#src/replays/watching/contract.ts';
import { personOf } from '#views/frame/addresses.ts';
import { useAddress } from '#views/frame/queries.ts';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { Link } from '#views/kit/Link.tsx';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Player.module.css';

export function ReplayFacts({ replay, actions }: { replay: ReplayDetail; actions?: ReactNode }) {
  const own = usePart(replayWords);
  const { words, format } = useWords();
  const project = useAddress()?.project ?? '';
  const { person, firstAt, lastAt, browser, os, city, country, channel, errors, rageClicks, clicks, isLive } = replay;
  const place = [city, country === null ? null : format.country(country)].filter((part) => part !== null);
  return (
    <div className={css['facts']}>
      {isLive && <b className={css['live']}>{own.live}</b>}
      {person !== null && (
        <Link className="link" href={personOf(project, person.uuid)}>
          {person.label ?? anonymousName(person, words)}
        </Link>
      )}
      <b>{format.duration((lastAt - firstAt) / 1000)}</b>
      {browser !== null && <span>{[browser, os].filter((part) => part !== null).join(', ')}</span>}
      {place.length > 0 && <span suppressHydrationWarning>{place.join(', ')}</span>}
      {channel !== null && <span>{channel}</span>}
      <span>{own.clickCount(clicks, format.number(clicks))}</span>
      {errors > 0 && <b className={css['bad']}>{own.errorCount(errors, format.number(errors))}</b>}
      {rageClicks > 0 && <b className={css['bad']}>{own.rageCount(rageClicks, format.number(rageClicks))}</b>}
      {actions && <span className={css['end']}>{actions}</span>}
    </div>
  );
}
