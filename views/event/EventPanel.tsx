/** A whole event: its properties, what is known of the person, and ways to take it along. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { groupSubjects, keyProperty } from '#src/columns/values.ts';
import type { EventDetail } from '#src/events/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { groupOf, personOf } from '#views/frame/addresses.ts';
import { groupTypeName } from '#views/frame/group-names.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { useCopy } from '#views/kit/copy.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { PanelTabs, TabPanel } from '#views/kit/Tabs.tsx';
import { useTrpc } from '#views/trpc.ts';
import { exactTime } from '#views/words/exact.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './EventPanel.module.css';
import { IssueLink } from './IssueLink.tsx';
import { PropertyTable } from './PropertyTable.tsx';
import { eventJson, typeOf } from './values.ts';
import { WatchReplay } from './WatchReplay.tsx';

export interface EventPanelProps {
  project: string;
  address: { ts: number; uuid: string };
  timeZone: string;
  closeHref: string;
  onlyHref(event: string): string;
}

export function EventPanel(props: EventPanelProps) {
  const { address } = props;
  return (
    <Boundary key={address.uuid} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
      <Late fallback={<BarTableSkeleton rows={4} />}>
        <Panel {...props} />
      </Late>
    </Boundary>
  );
}

type TabName = 'event' | 'person';

function Panel({ project, address, timeZone, closeHref, onlyHref }: EventPanelProps) {
  const { words, format } = useWords();
  const live = usePart(liveWords);
  const trpc = useTrpc();
  const { data: detail } = useSuspenseQuery({
    ...trpc.events.detail.queryOptions({ project, ...address }),
    // Events never change.
    staleTime: Infinity,
  });
  const [tab, setTab] = useState<TabName>('event');
  const id = useId();
  const known = Object.entries(detail.person.properties);
  const groupTypes = useGroupTypes();
  return (
    <div className={css['panel']}>
      <div>
        <PanelTabs<TabName>
          id={id}
          label={live.detail}
          current={tab}
          onChoose={setTab}
          tabs={[
            { key: 'event', label: withCount(live.properties, format.number(detail.properties.length + 3)) },
            { key: 'person', label: withCount(live.personProperties, format.number(known.length)) },
          ]}
        />
        <TabPanel id={id} current={tab}>
          {tab === 'event' ? (
            <PropertyTable
              caption={live.properties}
              rows={[
                { name: 'event', value: detail.event, type: 'text' },
                { name: 'distinct_id', value: detail.distinctId, type: 'text' },
                { name: 'timestamp', value: exactTime(detail.ts, timeZone), type: 'time' },
                ...detail.properties,
              ]}
            />
          ) : (
            <>
              <p className={css['who']}>
                <b className="strong">
                  {detail.person.label ??
                    (detail.person.identified ? detail.distinctId : anonymousName(detail.person, words))}
                </b>{' '}
                <span className="dim">{detail.person.identified ? live.identified : live.notIdentified}</span>{' '}
                <Link className="link" href={personOf(project, detail.person.uuid)}>
                  {live.toPerson}
                </Link>
              </p>
              {known.length === 0 ? (
                <p className="dim">{live.noPersonProperties}</p>
              ) : (
                <PropertyTable
                  caption={live.personProperties}
                  rows={known.map(([name, value]) => ({ name, value, type: typeOf(value) }))}
                />
              )}
            </>
          )}
        </TabPanel>
      </div>
      <aside className={css['side']}>
        <IssueLink project={project} of={{ ...address, event: detail.event }} />
        <WatchReplay project={project} session={detail.session} at={detail.ts} />
        <ButtonLink kind="quiet" small icon="filter" href={onlyHref(detail.event)}>
          {live.onlyThis}
        </ButtonLink>
        {groupsIn(detail).map(({ subject, type, key }) => (
          <ButtonLink key={type} kind="quiet" small icon="people" href={groupOf(project, type, key)}>
            <span className="clip">
              {groupTypeName(groupTypes, subject).singular}: {key}
            </span>
          </ButtonLink>
        ))}
        <CopyAction icon="copy" label={live.copyJson} text={() => eventJson(detail)} />
        <CopyAction icon="link" label={live.link} text={() => location.href} />
        <ButtonLink kind="quiet" small icon="x" href={closeHref}>
          {live.close}
        </ButtonLink>
        <ul className={css['notes']}>
          <li>{live.received(exactTime(detail.receivedAt, timeZone))}</li>
          {detail.marks.map((mark) => (
            <li key={mark}>{Object.hasOwn(live.marks, mark) ? live.marks[mark as keyof typeof live.marks] : mark}</li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

/** The groups that the event belongs to. */
function groupsIn({ properties }: EventDetail) {
  return groupSubjects.flatMap((subject, type) => {
    const key = properties.find(({ name }) => name === keyProperty(subject))?.value;
    return typeof key === 'string' && key !== '' ? [{ subject, type, key }] : [];
  });
}

function withCount(text: string, count: string) {
  return (
    <>
      {text} <span className="dim num">{count}</span>
    </>
  );
}

function CopyAction({ icon, label, text }: { icon: 'copy' | 'link'; label: string; text: () => string }) {
  const { words } = useWords();
  const [state, copy] = useCopy();
  return (
    <Button
      kind="quiet"
      small
      className="script-only"
      icon={state === 'copied' ? 'check' : icon}
      onClick={() => copy(text())}
    >
      <span role="status">{state === 'ready' ? label : words.copy[state]}</span>
    </Button>
  );
}
