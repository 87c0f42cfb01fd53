/** Result of a flag for one person, with the result of each condition. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlagDraft } from '#src/flags/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import { valueText } from './FlagPreview.tsx';
import css from './Flags.module.css';
import { failureText } from './failure-text.ts';

/** @param draft null: it cannot be evaluated as it is */
export function FlagTest({ reference, draft }: { reference: string; draft: FlagDraft | null }) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<(FlagDraft & { distinctId: string }) | null>(null);
  const { data, error } = useQuery({
    ...trpc.flags.tryFor.queryOptions({
      project: reference,
      ...(asked ?? { key: '', definition: NONE, distinctId: '' }),
    }),
    enabled: asked !== null,
    retry: false,
  });
  const ask = () => draft !== null && typed.trim() !== '' && setAsked({ ...draft, distinctId: typed.trim() });
  return (
    <section className={css['part']} aria-label={own.test}>
      <h3>{own.test}</h3>
      <TextField
        label={own.testId}
        hint={own.testHint}
        name="testId"
        className="mono"
        value={typed}
        maxLength={400}
        autoComplete="off"
        autoCapitalize="none"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && ask()}
      />
      <div>
        <Button small disabled={draft === null || typed.trim() === ''} onClick={ask}>
          {own.testRun}
        </Button>
      </div>
      <div aria-live="polite">
        {error && <p className={css['wrong']}>{failureText(failureOf(error), own)}</p>}
        {data && asked && (
          <>
            <p>
              {own.testGets} <b className="mono">{valueText(data.result.value, own)}</b>
              <span className="dim"> · {own.reasons[data.result.reason]}</span>
            </p>
            {!data.isKnown && <p className="dim">{own.testUnknown}</p>}
            <ol className={css['trace']}>
              {data.conditions.map(({ outcome, properties }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions are known by their place
                <li key={at}>
                  {own.condition(at + 1)}: {own.outcomes[outcome]}
                  {properties.map((holds, nth) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: so are properties
                    <span key={nth} className={css['sub']}>
                      {holds === null ? '?' : holds ? '✓' : '✗'}{' '}
                      <span className="mono">{asked.definition.filters.groups[at]?.properties[nth]?.key}</span>
                    </span>
                  ))}
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}

const NONE: FlagDraft['definition'] = {
  active: false,
  filters: { groups: [] },
  ensure_experience_continuity: false,
  bucketing_identifier: 'distinct_id',
  evaluation_runtime: 'all',
  evaluation_contexts: [],
};
