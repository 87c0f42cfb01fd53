/** In the range picker: the days after an annotation or a release, compared with those before it. */

import { useAddress, useRoleIn } from '#views/frame/queries.ts';
import { Link } from '#views/kit/Link.tsx';
import { OptionGroup, optionClass } from '#views/kit/Popover.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { noteWords } from '#views/words/notes.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import type { Today } from '../dates.ts';
import { type Around, aroundOf } from './around.ts';

/** The newest, so that the list stays short. */
const SHOWN = 6;

interface AroundNotesProps {
  now: Today;
  addressAround(around: Around): string;
}

export function AroundNotes(props: AroundNotesProps) {
  const project = useAddress()?.project;
  return project === undefined ? null : <Notes {...props} project={project} />;
}

function Notes({ now, addressAround, project }: AroundNotesProps & { project: string }) {
  const own = usePart(noteWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { timeZone } = useRoleIn(project);
  const asked = { project, range: 'last_90_days' } as const;
  const { data: annotations = [] } = useKnown(trpc.insights.annotations.list.queryOptions(asked));
  const { data: releases = [] } = useKnown(trpc.errors.releases.queryOptions(asked));
  const shown = [
    ...annotations.map(({ id, day, at, text }) => ({ key: `note ${id}`, at, day: day ?? dateIn(at, timeZone), text })),
    ...releases.map(({ version, at }) => ({
      key: `release ${version}`,
      at,
      day: dateIn(at, timeZone),
      text: own.release(version),
    })),
  ]
    .toSorted((one, other) => other.at - one.at)
    .flatMap(({ key, day, text }) => {
      const around = aroundOf(day, now.today);
      return around === null ? [] : [{ key, day, text, around }];
    })
    .slice(0, SHOWN);
  if (shown.length === 0) return null;
  return (
    <OptionGroup title={own.aroundTitle}>
      <ul>
        {shown.map(({ key, day, text, around }) => (
          <li key={key}>
            <Link href={addressAround(around)} className={optionClass(false)}>
              <span className="dim num">{format.day(day, Number(now.today.slice(0, 4)))}</span>{' '}
              <span className="clip">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </OptionGroup>
  );
}
