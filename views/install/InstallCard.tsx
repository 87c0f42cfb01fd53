/**
 * How to send the first event: the snippet filled in, a look-out for what arrives, a test event. When the first one from
 * outside Luneta's own screens is there, the card says so and the numbers follow by themselves.
 */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { installOf, liveOf } from '#views/frame/addresses.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Lens } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { addressOf, type InstallMethod, installMethods, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { installWords } from '#views/words/install.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './InstallCard.module.css';
import { InstallHelp } from './InstallHelp.tsx';
import strip from './Listening.module.css';
import { Listening } from './Listening.tsx';
import { snippets } from './snippets.ts';
import { WithCode } from './WithCode.tsx';

/** How often the server is asked whether something has come. */
const LOOK_MS = 2_000;

export interface InstallCardProps {
  project: ProjectSummary;
  reference: string;
  question: Question;
  path: string;
  /** The reader has seen that the first event is there. */
  onDone(): void;
}

export function InstallCard({ project, reference, question, path, onDone }: InstallCardProps) {
  const text = usePart(installWords);
  const trpc = useTrpc();
  const { data: install } = useSuspenseQuery({
    ...trpc.collect.install.queryOptions({ project: reference }),
    refetchInterval: (query) => (query.state.data?.outside ? false : LOOK_MS),
  });
  useNumbersOnArrival(install.outside !== null);
  if (install.outside)
    return <Arrived first={install.outside} project={project} reference={reference} onDone={onDone} />;
  const way = question.install;
  return (
    <section className={css['card']} aria-labelledby="install-title">
      <div>
        <h2 id="install-title" className={css['title']}>
          {text.title}
        </h2>
        <p className={css['lead']}>
          {text.lead} {project.builtIn && text.ownNumbers}
        </p>
        <LinkTabs
          label={text.waysLabel}
          tabs={installMethods.map((each) => ({
            key: each,
            label: text.ways[each],
            href: addressOf(path, { ...question, install: each }),
            current: each === way,
          }))}
        />
        <div className={css['code']}>
          <CodeBlock
            title={way === 'script' ? <WithCode prose={text.paste} /> : text.file[way]}
            code={snippets(install)[way]}
          />
        </div>
        <p className={css['note']}>
          <Note way={way} />
        </p>
      </div>
      <div className={css['wait']}>
        <Listening install={install} reference={reference} timeZone={project.timeZone} />
        <InstallHelp />
        <p className={css['note']}>
          <Link href={installOf(reference)} className="link">
            {text.allWays}
          </Link>
        </p>
      </div>
    </section>
  );
}

function Note({ way }: { way: InstallMethod }) {
  const text = usePart(installWords);
  if (way === 'component') return text.componentNote;
  return <WithCode prose={way === 'node' ? text.nodeFlush : text.sameHost} />;
}

interface ArrivedProps extends Pick<InstallCardProps, 'project' | 'reference' | 'onDone'> {
  first: { at: number; event: string };
}

function Arrived({ first, project, reference, onDone }: ArrivedProps) {
  const { format } = useWords();
  const text = usePart(installWords);
  return (
    <section className={classNames(strip['listening'], css['arrived'])} role="status">
      <Lens large filled />
      <p>
        <b className={strip['title']}>{text.received}</b>
        <span className="dim">
          {first.event !== '' && <code className="mono">{first.event}</code>}{' '}
          {text.receivedText(format.clock(first.at, project.timeZone))}
        </span>
      </p>
      <span className={css['actions']}>
        <ButtonLink href={liveOf(reference)}>{text.openLive}</ButtonLink>
        <Button kind="quiet" className="script-only" onClick={onDone}>
          {text.hide}
        </Button>
      </span>
    </section>
  );
}

/** Refetches everything once the first event is there: the numbers, the frame's line, and that the project receives. */
function useNumbersOnArrival(arrived: boolean): void {
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!arrived) return;
    for (const filter of [trpc.projects.pathFilter(), trpc.insights.pathFilter(), trpc.events.now.pathFilter()]) {
      void queryClient.invalidateQueries(filter);
    }
  }, [arrived, trpc, queryClient]);
}
