/** Where events are passed on to: how it goes, what waits, and a way to try it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RelayProblem, RelayStatus } from '#src/relay/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { useTrpc } from '#views/trpc.ts';
import { ago } from '#views/words/relative.ts';
import { upstreamWords } from '#views/words/upstream.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';

export interface UpstreamProps {
  project: string;
  status: RelayStatus;
  /** Server time; null where nothing is stored, and so nothing waits. */
  at: number | null;
  timeZone: string;
}

/** Events that wait longer may get a wrong time from the upstream. */
const LATE_MS = 60_000;

export function Upstream({ project, status, at, timeZone }: UpstreamProps) {
  const { words, format } = useWords();
  const text = usePart(upstreamWords);
  const { mode, host, abroad, queue, lastProblem, since } = status;
  const facts: [label: string, value: string][] = [
    [text.passed, format.number(status.passed)],
    [text.failed, format.number(status.failed)],
    [text.inFlight, format.number(status.inFlight)],
  ];
  if (queue !== null) {
    facts.push([text.queued, format.number(queue.requests)]);
    facts.push([queue.isRefusedFull ? text.refusedLatest : text.refused, format.number(queue.refused)]);
    if (queue.skipped > 0) facts.push([text.skipped, format.number(queue.skipped)]);
  }
  const oldestAt = queue?.oldestAt ?? null;
  const problem = lastProblem ?? queue?.lastRefusal ?? null;
  return (
    <section className={css['section']} aria-labelledby="upstream">
      <h2 id="upstream">
        {text.upstream}{' '}
        {since !== null && <span className={css['label']}>{text.since(format.dayMoment(since, timeZone))}</span>}
      </h2>
      <p className={css['prose']}>{mode === 'relay' ? text.relayTo(host ?? '') : text.mirrorTo(host ?? '')}</p>
      {abroad && <Callout tone="warn">{text.abroad}</Callout>}
      {oldestAt !== null && at !== null && at - oldestAt > LATE_MS && (
        <p className={css['prose']}>{text.late(ago(oldestAt, at, timeZone, words))}</p>
      )}
      <dl className={css['facts']}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
        <div className={css['wide']}>
          <dt>{text.lastProblem}</dt>
          <dd>
            {problem === null ? (
              text.none
            ) : (
              <>
                {format.dayMoment(problem.at, timeZone)} · <Problem {...problem} />
              </>
            )}
          </dd>
        </div>
      </dl>
      <Explained numbers="upstream" asked={{ screen: 'upstream', project }} timeZone={timeZone} />
      {queue !== null && <Retry refused={queue.refused} />}
      <Trial />
    </section>
  );
}

/** In plain words where they are known, then as it was said. */
function Problem({ kind, status, message }: Pick<RelayProblem, 'kind' | 'status' | 'message'>) {
  const text = usePart(upstreamWords);
  const raw = <span lang="en">{message}</span>;
  if (kind === null) return raw;
  return (
    <>
      {text.problems[kind](String(status ?? ''))} <span className="dim">{raw}</span>
    </>
  );
}

/** Stays after it was pressed, to say what came of it. */
function Retry({ refused }: { refused: number }) {
  const { format } = useWords();
  const text = usePart(upstreamWords);
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const { mutate, isPending, data, error } = useMutation(
    trpc.relay.retryRefused.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.relay.status.queryKey() }),
    }),
  );
  if (refused === 0 && data === undefined) return null;
  return (
    <div className={`${css['trial']} script-only`}>
      <Button small icon="refresh" busy={isPending && text.retrying} onClick={() => mutate()}>
        {text.retry}
      </Button>
      <p role="status">
        {data && text.retried(format.number(data.requests))}
        {error && <ErrorMessage error={error} />}
      </p>
    </div>
  );
}

function Trial() {
  const { format } = useWords();
  const text = usePart(upstreamWords);
  const trpc = useTrpc();
  const { mutate, isPending, data, error } = useMutation(trpc.relay.test.mutationOptions());
  return (
    <div className={`${css['trial']} script-only`}>
      <Button small icon="refresh" busy={isPending && text.testing} onClick={() => mutate()}>
        {text.test}
      </Button>
      <p role="status" className={data?.ok === false ? css['failing'] : undefined}>
        {data &&
          (data.ok && data.status !== null ? (
            text.testOk(data.status, format.delay(data.tookMs))
          ) : (
            <Problem {...data} />
          ))}
        {error && <ErrorMessage error={error} />}
      </p>
    </div>
  );
}
