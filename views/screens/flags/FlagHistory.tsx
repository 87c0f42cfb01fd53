/** Every version of a flag: who changed what, and back to it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flag, FlagChangeRow } from '#src/flags/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useKnown } from '#views/known.ts';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { changedLines } from './changed-lines.ts';
import css from './Flags.module.css';
import { failureText } from './failure-text.ts';

export interface FlagHistoryProps {
  reference: string;
  flag: Flag;
  timeZone: string;
}

export function FlagHistory({ reference, flag, timeZone }: FlagHistoryProps) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const { data: changes = [] } = useKnown(trpc.flags.history.queryOptions({ project: reference, flag: flag.id }));
  const revert = useMutation(trpc.flags.revert.mutationOptions());

  async function goBack(version: number): Promise<void> {
    try {
      await revert.mutateAsync({ project: reference, flag: flag.id, version });
      showToast(own.reverted);
    } catch (error) {
      showToast(failureText(failureOf(error), own));
    }
    await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
  }

  return (
    <section className={css['part']} aria-label={own.history}>
      <h3>{own.history}</h3>
      <ol className={css['history']}>
        {changes.map((change, at) => (
          <li key={change.version}>
            <details>
              <summary>
                {own.version(change.version)}
                <span className="dim">
                  {' '}
                  · {change.by.name} · {format.day(dateIn(change.at, timeZone), 0)}
                </span>
              </summary>
              {change.note !== null && <p>{change.note}</p>}
              <Difference change={change} before={changes[at + 1]} />
              {at > 0 && (
                <Button small disabled={revert.isPending} onClick={() => void goBack(change.version)}>
                  {own.revert}
                </Button>
              )}
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Difference({ change, before }: { change: FlagChangeRow; before: FlagChangeRow | undefined }) {
  const own = usePart(flagWords);
  const lines = changedLines(textOf(before), textOf(change));
  if (lines.length === 0) return <p className="dim">{own.noChanges}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it
    <section className={css['diff']} tabIndex={0} aria-label={own.version(change.version)}>
      <pre className="mono">
        {lines.map(({ sign, text, id }) => (
          <span key={id} className={sign === '+' ? css['added'] : css['gone']}>
            {sign} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}

function textOf(change: FlagChangeRow | undefined): string[] {
  if (change === undefined) return [];
  const { description, definition } = change;
  const text = JSON.stringify({ description, ...definition }, withoutDefaults, 2);
  // Without commas, a line is the same whether another follows it or not.
  return text.split('\n').map((line) => line.replace(/,$/, ''));
}

/** What the form writes and others leave out is no change. */
function withoutDefaults(name: string, value: unknown): unknown {
  const isEmpty = name === 'payloads' && Object.keys(value ?? {}).length === 0;
  return value === null || isEmpty || (name === 'early_exit' && value === false) ? undefined : value;
}
