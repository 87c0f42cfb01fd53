/** Rarely needed options: unit, persistence across sign-in, where the flag is evaluated. */

import { CheckField, SelectField, TextField } from '#views/kit/Field.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';
import type { Draft } from './flag-draft.ts';

export interface FlagOptionsProps {
  reference: string;
  draft: Draft;
  errors: Partial<Record<string, string>>;
  onChange(over: Partial<Draft>): void;
}

export function FlagOptions({ reference, draft, errors, onChange }: FlagOptionsProps) {
  const own = usePart(flagWords);
  const { data: groupTypes = [] } = useKnown(useTrpc().flags.groupTypes.queryOptions({ project: reference }));
  const { unit, continuity, earlyExit, runtime, holdout, holdoutId } = draft;
  const isUsed = unit !== 'person' || continuity || earlyExit || runtime !== 'all' || holdout !== '';
  return (
    <details className={css['details']} open={isUsed}>
      <summary>{own.options}</summary>
      <div className={css['pair']}>
        <SelectField
          label={own.unit}
          name="unit"
          value={unit}
          onChange={({ target }) => onChange({ unit: target.value })}
        >
          {(['person', 'device'] as const).map((each) => (
            <option key={each} value={each}>
              {own.units[each]}
            </option>
          ))}
          {groupTypes.map(({ type, name }) => (
            <option key={type} value={String(type)}>
              {own.group(name)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={own.runtime}
          name="runtime"
          value={runtime}
          onChange={({ target }) => onChange({ runtime: target.value as Draft['runtime'] })}
        >
          {(['all', 'client', 'server'] as const).map((each) => (
            <option key={each} value={each}>
              {own.runtimes[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <CheckField
        label={own.continuity}
        hint={own.continuityHint}
        name="continuity"
        checked={continuity}
        onChange={({ target }) => onChange({ continuity: target.checked })}
      />
      <CheckField
        label={own.earlyExit}
        name="earlyExit"
        checked={earlyExit}
        onChange={({ target }) => onChange({ earlyExit: target.checked })}
      />
      <div className={css['pair']}>
        <TextField
          label={own.holdout}
          hint={own.holdoutHint}
          error={errors['holdout']}
          name="holdout"
          inputMode="decimal"
          autoComplete="off"
          value={holdout}
          maxLength={10}
          onChange={({ target }) => onChange({ holdout: target.value })}
        />
        {holdout.trim() !== '' && (
          <TextField
            label={own.holdoutId}
            hint={own.holdoutIdHint}
            name="holdoutId"
            inputMode="numeric"
            autoComplete="off"
            value={holdoutId}
            maxLength={9}
            onChange={({ target }) => onChange({ holdoutId: target.value })}
          />
        )}
      </div>
    </details>
  );
}
