/** One person: who they are and where they came from, and what they did, visit by visit. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PersonDetail } from '#src/profiles/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { peopleOf, personOf, privacyOf, replaysOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { readKey } from '#views/kit/event-key.ts';
import { Icon, Lens } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { FailedState, State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { peopleWords } from '#views/words/people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Person.module.css';
import { PersonFacts } from './PersonFacts.tsx';
import { kinds, type PersonQuestion, personAddress, readPersonQuestion, timelineInput } from './person-address.ts';
import { Timeline } from './Timeline.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const question = readPersonQuestion(props.params['person'] ?? '', props.search);
  const open = readKey(question.open);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.profiles.get.queryOptions({ project, person: question.person }), critical: true },
    { options: trpc.profiles.timeline.queryOptions(timelineInput(project, question)), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'person', project, person: question.person })),
    ...(open ? [{ options: trpc.events.detail.queryOptions({ project, ...open }), critical: true }] : []),
  ];
}

export function title(words: Words): string {
  return peopleWords[words.language].person;
}

export function Screen({ params, search }: ScreenProps) {
  const text = usePart(peopleWords);
  const { words } = useWords();
  const project = params['project'] ?? '';
  const person = params['person'] ?? '';
  const address = search.toString();
  const question = useMemo(() => readPersonQuestion(person, new URLSearchParams(address)), [person, address]);
  const asked = { project, person };
  return (
    <Page
      title={
        <Boundary of={person} fallback={() => text.person}>
          <Late fallback={text.person}>
            <Name {...asked} />
          </Late>
        </Boundary>
      }
      parent={{ title: text.title, href: peopleOf(project) }}
      actions={
        <>
          <ButtonLink
            small
            icon="play"
            href={`${replaysOf(project)}?${new URLSearchParams({ person, range: 'all_time' })}`}
          >
            {words.nav.replays}
          </ButtonLink>
          <ButtonLink small icon="lock" href={privacyOf(project)}>
            {text.privacy}
          </ButtonLink>
        </>
      }
    >
      <Boundary of={person} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Content project={project} question={question} />
        </Late>
      </Boundary>
    </Page>
  );
}

interface PersonRef {
  project: string;
  person: string;
}

function usePerson(asked: PersonRef) {
  const trpc = useTrpc();
  return useSuspenseQuery(trpc.profiles.get.queryOptions(asked)).data;
}

function Name(asked: PersonRef) {
  const { words } = useWords();
  const text = usePart(peopleWords);
  const data = usePerson(asked);
  return <span className="ph-no-capture">{data.state === 'erased' ? text.erased : nameOf(data, words)}</span>;
}

/** Their name or address, the id they were identified by, or a text for a person without either. */
function nameOf({ label, identified, ids, uuid }: PersonDetail, words: Words): string {
  return label ?? (identified ? ids[0]?.distinctId : undefined) ?? words.people.anonymous(uuid.slice(-4));
}

function Content({ project, question }: { project: string; question: PersonQuestion }) {
  const { words, format } = useWords();
  const text = usePart(peopleWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const data = usePerson({ project, person: question.person });
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const current = projects.find((each) => isProject(each, project));
  const timeZone = current?.timeZone ?? 'UTC';
  const thisYear = Number(dateIn(useServerTime(), timeZone).slice(0, 4));
  const uuid = data.state === 'there' ? data.uuid : question.person;
  useEffect(() => {
    // Merged meanwhile: this is who they are now.
    if (uuid !== question.person) navigate(personOf(project, uuid), { replace: true });
  }, [uuid, question.person, project, navigate]);
  if (data.state === 'erased') {
    return (
      <State icon="lock" title={text.erased}>
        {text.erasedText(format.day(dateIn(data.at, timeZone), 0))}
      </State>
    );
  }
  const day = (at: number) => format.day(dateIn(at, timeZone), thisYear);
  const { identified, identifiedAt, isHere, email } = data;
  const name = nameOf(data, words);
  return (
    <div className="ph-no-capture">
      <div className={css['who']}>
        <span className={css['avatar']}>
          <Avatar name={identified || data.label !== null ? name : null} />
        </span>
        <div className={css['names']}>
          <p className={css['name']}>{name}</p>
          <p className={css['sub']}>
            {email !== null && email !== name && <span>{email}</span>}
            {identified ? (
              <span className={css['identified']}>
                <Icon name="check" small />
                {identifiedAt === null ? text.identified : text.identifiedOn(day(identifiedAt))}
              </span>
            ) : (
              <span>{text.notIdentified}</span>
            )}
            {isHere && (
              <span className={css['here']}>
                <Lens live />
                {text.here}
              </span>
            )}
          </p>
        </div>
      </div>
      <div className={css['columns']}>
        <div className={css['main']}>
          <h2 className={css['title']}>{text.timeline}</h2>
          <Segmented
            label={text.kindsLabel}
            className={css['kinds']}
            segments={[null, ...kinds].map((kind) => ({
              key: kind ?? 'all',
              label: text.kinds[kind ?? 'all'],
              href: personAddress(project, { ...question, kind, after: null, open: null }),
              current: kind === question.kind,
            }))}
          />
          <Region
            question={question}
            of={JSON.stringify(timelineInput(project, question))}
            label={text.timeline}
            counting={text.timeline}
            skeleton={
              <div className={css['waiting']}>
                <BarTableSkeleton rows={8} />
              </div>
            }
          >
            {(shown) => <Timeline project={project} question={shown} timeZone={timeZone} isHere={isHere} />}
          </Region>
        </div>
        <PersonFacts project={project} person={data} role={current?.role ?? 'viewer'} day={day} timeZone={timeZone} />
      </div>
    </div>
  );
}
