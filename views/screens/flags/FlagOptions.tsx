/** Rarely needed options: unit, persistence across sign-in, where the flag is evaluated. */
import { useQuery } from '@tanstack/react-query';
import { CheckField, SelectField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';
import type { Draft } from './flag-draft.ts';

export interface FlagOptionsProps {
  reference: string;
  draft: Draft;
  onChange(over: Partial<Draft>): void;
}

export function FlagOptions({ reference, draft, onChange }: FlagOptionsProps) {
  const own = usePart(flagWords);
  const { data: groupTypes = [] } = useQuery(useTrpc().flags.groupTypes.queryOptions({ project: reference }));
  const { unit, continuity, earlyExit, runtime } = draft;
  return (
    <details className={css['details']} open={unit !== 'person' || continuity || earlyExit || runtime !== 'all'}>
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
    </details>
  );
}
