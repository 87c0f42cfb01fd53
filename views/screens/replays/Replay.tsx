/** One recording: `?t=N` opens it ten seconds before its Nth second. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { Boundary } from '#views/boundary.tsx';
import { replaysOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { FailedState, State } from '#views/kit/State.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { failureOf, type Trpc, useTrpc } from '#views/trpc.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Player } from './Player.tsx';
import { Refused } from './Refused.tsx';
import { readMoment } from './replay-address.ts';

/** How often a recording that goes on is asked for more. */
const LIVE_EVERY_MS = 3_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const asked = { project: props.params['project'] ?? '', session: props.params['session'] ?? '' };
  return [
    ...frameQueries(trpc, props),
    { options: trpc.replays.get.queryOptions(asked), critical: true },
    { options: trpc.replays.comments.queryOptions(asked), critical: true },
    { options: trpc.replays.events.queryOptions(asked), critical: false },
  ];
}

export const title: ScreenModule['title'] = ({ language }) => replayWords[language].replay;

interface Asked {
  project: string;
  session: string;
}

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(replayWords);
  const asked: Asked = { project: params['project'] ?? '', session: params['session'] ?? '' };
  return (
    <Page
      title={
        <Boundary of={asked.session} fallback={() => own.replay}>
          <Late fallback={own.replay}>
            <Name {...asked} />
          </Late>
        </Boundary>
      }
      parent={{ title: own.title, href: replaysOf(asked.project) }}
      actions={
        <Boundary of={asked.session} fallback={() => null}>
          <Late>
            <Remove {...asked} />
          </Late>
        </Boundary>
      }
    >
      <div className="ph-no-capture">
        <Boundary
          of={asked.session}
          fallback={(error, retry) => <Unseen error={error} retry={retry} project={asked.project} />}
        >
          <Late fallback={<BarTableSkeleton rows={8} />}>
            <Content key={asked.session} {...asked} startAt={readMoment(search)} />
          </Late>
        </Boundary>
      </div>
    </Page>
  );
}

function useReplay(asked: Asked) {
  const trpc = useTrpc();
  return useSuspenseQuery({
    ...trpc.replays.get.queryOptions(asked),
    refetchInterval: ({ state }) => (state.data?.isLive ? LIVE_EVERY_MS : false),
  }).data;
}

function Name(asked: Asked) {
  const own = usePart(replayWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(asked.project);
  const { person, firstAt } = useReplay(asked);
  const name = person === null ? own.visitor : (person.label ?? anonymousName(person, words));
  return (
    <span className="ph-no-capture">
      {name}, {format.dayTime(firstAt, timeZone)}
    </span>
  );
}

function Content({ startAt, ...asked }: Asked & { startAt: number | null }) {
  const trpc = useTrpc();
  const replay = useReplay(asked);
  const { data: comments } = useSuspenseQuery(trpc.replays.comments.queryOptions(asked));
  const { mutate } = useMutation(trpc.replays.view.mutationOptions());
  const { project, session } = asked;
  useEffect(() => mutate({ project, session }), [mutate, project, session]);
  const { data: events } = useSuspenseQuery({
    ...trpc.replays.events.queryOptions(asked),
    refetchInterval: replay.isLive ? LIVE_EVERY_MS : false,
  });
  return <Player project={project} replay={replay} comments={comments} events={events} startAt={startAt ?? 0} />;
}

/** Why there is nothing to see. */
function Unseen({ error, retry, project }: { error: unknown; retry: () => void; project: string }) {
  const own = usePart(replayWords);
  const { code } = failureOf(error);
  const toList = (
    <ButtonLink small href={replaysOf(project)}>
      {own.toList}
    </ButtonLink>
  );
  if (code === 'forbidden') return <Refused />;
  if (code === 'not_found' || code === 'invalid') {
    return (
      <State icon="play" title={own.notFound} actions={toList}>
        {own.notFoundText}
      </State>
    );
  }
  return <FailedState error={error} retry={retry} />;
}

function Remove(asked: Asked) {
  const own = usePart(replayWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const { role } = useRoleIn(asked.project);
  const { prove, dialog } = useProof();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation(trpc.replays.remove.mutationOptions());
  useReplay(asked);
  if (!isAtLeast(role, 'admin')) return null;
  return (
    <>
      <Button small kind="quiet" icon="x" onClick={() => setIsAsked(true)}>
        {own.remove}
      </Button>
      {isAsked && (
        <AskFirst
          title={own.removeTitle}
          text={own.removeText}
          action={own.remove}
          busy={own.remove}
          onClose={() => setIsAsked(false)}
          onConfirm={async () => {
            const done = await prove(async () => {
              await remove.mutateAsync(asked);
              return true;
            });
            if (!done) return;
            showToast(own.removed);
            navigate(replaysOf(asked.project));
            void client.invalidateQueries({ queryKey: trpc.replays.list.queryKey() });
          }}
        />
      )}
      {dialog}
    </>
  );
}
