/** Files of events that were asked for: what became of each, and the file while it is there. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { EventExport } from '#src/explorer/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import records from '#views/kit/Records.module.css';
import { State } from '#views/kit/State.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { bytesText } from '#views/words/bytes.ts';
import type { Words } from '#views/words/en.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { EventTabs } from './EventTabs.tsx';
import css from './Exports.module.css';

const SOON_MS = 2_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.explorer.exports.queryOptions({ project }), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'files', project })),
  ];
}

export function title(words: Words): string {
  return eventListWords[words.language].tabs.exports;
}

export function Screen({ params }: ScreenProps) {
  const { words } = useWords();
  const text = usePart(eventListWords);
  const project = params['project'] ?? '';
  return (
    <Page title={text.tabs.exports} parent={{ title: words.nav.events, href: eventsOf(project) }}>
      <EventTabs project={project} current="exports" />
      <Late fallback={<BarTableSkeleton rows={4} />}>
        <List project={project} />
      </Late>
    </Page>
  );
}

const isOpen = ({ state }: EventExport) => state === 'waiting' || state === 'running';

function List({ project }: { project: string }) {
  const trpc = useTrpc();
  const text = usePart(eventListWords);
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: exports } = useSuspenseQuery({
    ...trpc.explorer.exports.queryOptions({ project }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? SOON_MS : false),
  });
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  if (exports.length === 0) {
    return (
      <State
        icon="table"
        title={text.noExports}
        actions={<ButtonLink href={eventsOf(project)}>{text.toList}</ButtonLink>}
      >
        {text.noExportsText}
      </State>
    );
  }
  return (
    <>
      <ul className={`${records['list']} ${css['list']} ph-no-capture`}>
        {exports.map((each) => (
          <Row key={each.id} project={project} timeZone={timeZone} file={each} />
        ))}
      </ul>
      <Explained asked={{ screen: 'files', project }} timeZone={timeZone} />
    </>
  );
}

function Row({ project, timeZone, file }: { project: string; timeZone: string; file: EventExport }) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const { format } = useWords();
  const text = usePart(eventListWords);
  const remove = useMutation({
    ...trpc.explorer.removeExport.mutationOptions(),
    onSettled: () => client.invalidateQueries({ queryKey: trpc.explorer.exports.queryKey({ project }) }),
  });
  const { id, state, range, names, isFiltered, rows, bytes, askedAt, askedBy, expiresAt } = file;
  const open = isOpen(file);
  const day = (ms: number) => format.day(dateIn(ms, timeZone), 0);
  const isPeople = file.what === 'people';
  const events = names.length > 0 ? <span className="mono">{names.join(', ')}</span> : text.allEvents;
  return (
    <li className={records['entry']}>
      <p className={records['name']}>
        {file.format.toUpperCase()} · {range === null ? text.people : `${day(range.from)} – ${day(range.to - 1)}`}{' '}
        <span className={records['mark']} role="status">
          {text.states[state]}
        </span>
      </p>
      <p className={records['note']}>
        {isPeople ? (isFiltered ? text.filtered : text.allPeople) : events}
        {!isPeople && isFiltered && `, ${text.filtered}`} ·{' '}
        {(isPeople ? text.peopleRows : text.rows)(rows, format.number(rows))} · {bytesText(bytes, format)}
      </p>
      <p className={records['note']}>
        {text.by(askedBy, format.dayTime(askedAt, timeZone))}
        {state === 'done' && expiresAt !== null && ` · ${text.until(format.dayTime(expiresAt, timeZone))}`}
      </p>
      <div className={css['buttons']}>
        {state === 'done' && (
          <a href={`${eventsOf(project)}/export/${id}`} download className="link">
            {text.download}
          </a>
        )}
        <Button
          small
          kind="quiet"
          className="script-only"
          busy={remove.isPending && text.removing}
          onClick={() => remove.mutate({ project, id })}
        >
          {open ? text.cancel : text.remove}
        </Button>
      </div>
      <FormError>{remove.error && <ErrorMessage error={remove.error} />}</FormError>
    </li>
  );
}
