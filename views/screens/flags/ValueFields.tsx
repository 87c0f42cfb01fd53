/** Values of a flag: boolean or variants, each with a JSON payload. */
import { type ReactNode, useId } from 'react';
import { MAX_VARIANTS } from '#src/flags/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Field, SelectField, TextField } from '#views/kit/Field.tsx';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Flags.module.css';
import { type Draft, type DraftVariant, isJson, newVariant, sumOf } from './flag-draft.ts';

export interface ValueFieldsProps {
  draft: Draft;
  errors: Partial<Record<string, string>>;
  onChange(over: Partial<Draft>): void;
}

export function ValueFields({ draft, errors, onChange }: ValueFieldsProps) {
  const own = usePart(flagWords);
  const { hasVariants, variants } = draft;
  return (
    <>
      <SelectField
        label={own.value}
        name="kind"
        value={hasVariants ? 'variants' : 'boolean'}
        onChange={({ target }) => onChange({ hasVariants: target.value === 'variants' })}
      >
        {(['boolean', 'variants'] as const).map((kind) => (
          <option key={kind} value={kind}>
            {own.kinds[kind]}
          </option>
        ))}
      </SelectField>
      {hasVariants ? (
        <Variants variants={variants} errors={errors} onChange={(next) => onChange({ variants: next })} />
      ) : (
        <PayloadField
          label={own.payload}
          name="payload"
          value={draft.payload}
          error={errors['payload']}
          onChange={(payload) => onChange({ payload })}
        />
      )}
    </>
  );
}

interface VariantsProps {
  variants: readonly DraftVariant[];
  errors: Partial<Record<string, string>>;
  onChange(variants: DraftVariant[]): void;
}

function Variants({ variants, errors, onChange }: VariantsProps) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const sum = sumOf(variants);
  const set = (id: number, over: Partial<DraftVariant>) =>
    onChange(variants.map((each) => (each.id === id ? { ...each, ...over } : each)));
  return (
    <>
      {variants.map((variant) => (
        <div key={variant.id} className={css['variant']}>
          <TextField
            label={own.variantKey}
            error={errors[`variant ${variant.id}`]}
            name={`variant ${variant.id}`}
            className="mono"
            value={variant.key}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => set(variant.id, { key: target.value })}
          />
          <TextField
            label={own.variantShare}
            error={errors[`share ${variant.id}`]}
            name={`share ${variant.id}`}
            inputMode="decimal"
            value={variant.share}
            autoComplete="off"
            onChange={({ target }) => set(variant.id, { share: target.value })}
          />
          <Button
            kind="quiet"
            icon="x"
            iconOnly
            disabled={variants.length === 1}
            onClick={() => onChange(variants.filter(({ id }) => id !== variant.id))}
          >
            {own.removeVariant(variant.key)}
          </Button>
          <PayloadField
            label={own.payloadOf(variant.key || '…')}
            name={`payload ${variant.id}`}
            value={variant.payload}
            error={errors[`payload ${variant.id}`]}
            onChange={(payload) => set(variant.id, { payload })}
          />
        </div>
      ))}
      {sum !== 100 && (
        <p role="status" className={css['warning']}>
          {own.sharesWrong(Number.isNaN(sum) ? '?' : format.number(sum))}
        </p>
      )}
      <div>
        <Button
          small
          icon="plus"
          disabled={variants.length >= MAX_VARIANTS}
          onClick={() => onChange([...variants, newVariant()])}
        >
          {own.addVariant}
        </Button>
      </div>
    </>
  );
}

interface PayloadFieldProps {
  label: ReactNode;
  name: string;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

function PayloadField({ label, name, value, error, onChange }: PayloadFieldProps) {
  const own = usePart(flagWords);
  const id = useId();
  const isWrong = value.trim() !== '' && !isJson(value);
  return (
    <div className={css['payload']}>
      <Field label={label} hint={own.payloadHint} error={error ?? (isWrong ? own.payloadWrong : undefined)}>
        {(names) => (
          <textarea
            key={id}
            {...names}
            name={name}
            rows={2}
            className={`${css['text']} mono`}
            spellCheck={false}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
    </div>
  );
}
