/** Beside the stage: what happened, in step with what is shown. A press leads to its moment. */
import { memo, type ReactNode, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { eventsOf } from '#views/frame/addresses.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Select } from '#views/kit/Select.tsx';
import { PanelTabs, TabPanel } from '#views/kit/Tabs.tsx';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Inspector.module.css';
import type { Note } from './notes.ts';
import type { Playback } from './playback.ts';
import { clockText } from './timeline.ts';
import { usePlayer } from './use-playback.ts';

const MAX_ROWS = 1_000;
/** A note is current from a little before it, since seeking to it shows the moment before. */
const EARLY_MS = 50;

const tabs = ['events', 'console', 'network', 'comments'] as const;
type Tab = (typeof tabs)[number];
type List = Exclude<Tab, 'comments'>;
const kinds = ['all', 'page', 'event', 'problem'] as const;
type Kind = (typeof kinds)[number];

export interface InspectorProps {
  project: string;
  playback: Playback;
  notes: readonly Note[];
  comments: ReactNode;
  commentCount: number;
}

export function Inspector({ project, playback, notes, comments, commentCount }: InspectorProps) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const id = useId();
  const [tab, setTab] = useState<Tab>('events');
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const lists = useMemo(() => listsOf(notes), [notes]);
  const asked = useDeferredValue(search.trim().toLowerCase());
  const counts: Record<Tab, number> = {
    events: lists.events.length,
    console: lists.console.length,
    network: lists.network.length,
    comments: commentCount,
  };
  return (
    <aside className={css['inspector']} aria-label={own.inspector}>
      <PanelTabs<Tab>
        id={id}
        label={own.inspector}
        current={tab}
        onChoose={setTab}
        tabs={tabs.map((each) => ({
          key: each,
          label: (
            <>
              {own.tabs[each]} <span className="dim num">{format.number(counts[each])}</span>
            </>
          ),
        }))}
      />
      <TabPanel id={id} current={tab}>
        {tab === 'comments' ? (
          comments
        ) : (
          <>
            <div className={css['tools']}>
              <input
                type="search"
                className="input"
                aria-label={own.filterSearch}
                placeholder={own.filterSearch}
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
              <Select
                className="input"
                aria-label={own.kind}
                value={kind}
                onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'all')}
              >
                {kinds
                  .filter((each) => tab === 'events' || each === 'all' || each === 'problem')
                  .map((each) => (
                    <option key={each} value={each}>
                      {own.kinds[each]}
                    </option>
                  ))}
              </Select>
            </div>
            <Rows project={project} playback={playback} list={tab} notes={lists[tab]} search={asked} kind={kind} />
          </>
        )}
      </TabPanel>
    </aside>
  );
}

function listsOf(notes: readonly Note[]): Record<List, Note[]> {
  return {
    events: notes.filter(({ kind }) => kind === 'page' || kind === 'event' || kind === 'error'),
    console: notes.filter(({ kind }) => kind === 'console'),
    network: notes.filter(({ kind }) => kind === 'network'),
  };
}

interface RowsProps {
  project: string;
  playback: Playback;
  list: List;
  notes: readonly Note[];
  search: string;
  kind: Kind;
}

function Rows({ project, playback, list, notes, search, kind }: RowsProps) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const found = useMemo(() => notes.filter((note) => isFound(note, search, kind, list)), [notes, search, kind, list]);
  const shown = useMemo(() => found.slice(0, MAX_ROWS), [found]);
  const current = usePlayer(playback, ({ at }) => shown.findLastIndex((note) => note.at <= at + EARLY_MS));
  const isPlaying = usePlayer(playback, ({ status }) => status === 'playing');
  const from = usePlayer(playback, (state) => state.from);
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = box.current;
    const row = element?.children[current];
    // A list that is read stays where it is.
    if (!isPlaying || !element || !(row instanceof HTMLElement) || element.matches(':hover, :focus-within')) return;
    element.scrollTop = row.offsetTop - element.clientHeight / 2;
  }, [current, isPlaying]);
  if (found.length === 0) {
    return <p className={css['none']}>{notes.length === 0 ? own.noNotes[list] : own.noMatches}</p>;
  }
  return (
    <>
      <ol ref={box} className={css['notes']}>
        {shown.map((note, index) => (
          <Row
            key={note.key}
            project={project}
            playback={playback}
            note={note}
            from={from}
            isCurrent={index === current}
          />
        ))}
      </ol>
      {found.length > shown.length && <p className={css['none']}>{own.cut(format.number(MAX_ROWS))}</p>}
    </>
  );
}

function isFound({ kind, isProblem, title, detail }: Note, search: string, asked: Kind, list: List): boolean {
  if (asked === 'problem' && !isProblem) return false;
  if (list === 'events' && (asked === 'page' || asked === 'event') && kind !== asked) return false;
  return search === '' || `${title} ${detail}`.toLowerCase().includes(search);
}

interface RowProps {
  project: string;
  playback: Playback;
  note: Note;
  from: number;
  isCurrent: boolean;
}

const Row = memo(function Row({ project, playback, note, from, isCurrent }: RowProps) {
  const own = usePart(replayWords);
  const { kind, at, title, detail, isProblem, event } = note;
  return (
    <li className={classNames(css['note'], css[kind], isProblem && css['problem'], isCurrent && css['current'])}>
      <button type="button" aria-current={isCurrent || undefined} onClick={() => playback.seek(at)}>
        <time className="num">{clockText(at - from)}</time>
        <span className={css['point']} aria-hidden="true" />
        <span className={css['text']}>
          <span className="mono">{title}</span>
          {detail !== '' && <span className={css['detail']}>{detail}</span>}
        </span>
      </button>
      {event !== null && (
        <Link
          className={css['open']}
          href={`${eventsOf(project)}?${new URLSearchParams({ event })}`}
          aria-label={`${own.openEvent}: ${title}`}
          ahead={false}
        >
          <Icon name="right" small />
        </Link>
      )}
    </li>
  );
});
