/** Result of a flag for one person, with the result of each condition. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlagDraft } from '#src/flags/contract.ts';
import type { ListedPerson } from '#src/profiles/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { useSettled } from '#views/kit/use-settled.ts';
import { useKnown } from '#views/known.ts';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { valueText } from './FlagPreview.tsx';
import css from './Flags.module.css';
import { failureText } from './failure-text.ts';

/** People are found by what is typed from so many letters on. */
const SHORTEST = 3;
const MAX_PEOPLE = 5;
const AFTER_MS = 250;

/** @param draft null: it cannot be evaluated as it is */
export function FlagTest({ reference, draft }: { reference: string; draft: FlagDraft | null }) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<(FlagDraft & { distinctId: string }) | null>(null);
  const { data, error } = useKnown({
    ...trpc.flags.tryFor.queryOptions({
      project: reference,
      ...(asked ?? { key: '', definition: NONE, distinctId: '' }),
    }),
    enabled: asked !== null,
    retry: false,
  });
  const people = usePeople(reference, typed.trim()).filter(({ distinctId }) => distinctId !== typed.trim());
  const ask = (distinctId = typed.trim()) => draft !== null && distinctId !== '' && setAsked({ ...draft, distinctId });
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
      {people.length > 0 && (
        <ul className={css['found']} aria-label={own.testFound}>
          {people.map((person) => (
            <li key={person.uuid}>
              <Found
                person={person}
                disabled={draft === null}
                onChoose={(distinctId) => {
                  setTyped(distinctId);
                  ask(distinctId);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button small disabled={draft === null || typed.trim() === ''} onClick={() => ask()}>
          {own.testRun}
        </Button>
      </div>
      <div aria-live="polite">
        {error !== null && <p className={css['wrong']}>{failureText(failureOf(error), own)}</p>}
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

/** The first that a name or address finds. */
function usePeople(project: string, typed: string): ListedPerson[] {
  const search = useSettled(typed, AFTER_MS);
  const { data } = useKnown({
    ...useTrpc().profiles.list.queryOptions({ project, search }),
    enabled: search.length >= SHORTEST,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return typed.length >= SHORTEST ? (data?.rows ?? []).slice(0, MAX_PEOPLE) : [];
}

interface FoundProps {
  person: ListedPerson;
  disabled: boolean;
  onChoose(distinctId: string): void;
}

function Found({ person: { uuid, label, email, identified, distinctId }, disabled, onChoose }: FoundProps) {
  const { words } = useWords();
  const name = label ?? (identified ? distinctId : words.people.anonymous(uuid.slice(-4)));
  return (
    <Button small kind="quiet" disabled={disabled} onClick={() => onChoose(distinctId)}>
      {email !== null && email !== name ? `${name}, ${email}` : name}
    </Button>
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
