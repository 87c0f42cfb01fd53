/** The name of an event that a goal counts. Names that have never been received are said so. */
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { UnknownEvent, useSimilarNames } from '#views/question/UnknownEvent.tsx';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import { useKnown } from './use-known.ts';

export interface EventNameFieldProps {
  reference: string;
  name: string;
  value: string;
  hint?: string;
  error: string | undefined;
  onChange(value: string): void;
}

export function EventNameField({ reference, name, value, hint, error, onChange }: EventNameFieldProps) {
  const own = usePart(goalWords);
  const similar = useSimilarNames(reference, value.trim());
  return (
    <ComboboxField
      label={own.event}
      mono
      name={name}
      hint={similar === null ? hint : <UnknownEvent suggestions={similar} onChoose={onChange} />}
      error={error}
      value={value}
      maxLength={MAX_STORED_NAME_LENGTH}
      options={useKnown(reference).events}
      onChange={onChange}
    />
  );
}
