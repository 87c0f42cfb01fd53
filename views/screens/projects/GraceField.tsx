/** For how long a replaced token or key is still accepted. */
import { type GraceHours, graceHours } from '#src/projects/values.ts';
import { SelectField } from '#views/kit/Field.tsx';

interface GraceFieldProps {
  label: string;
  names: Record<GraceHours, string>;
  value: GraceHours;
  onChange(hours: GraceHours): void;
}

export function GraceField({ label, names, value, onChange }: GraceFieldProps) {
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onChange(graceHours.find((hours) => String(hours) === target.value) ?? value)}
    >
      {graceHours.map((hours) => (
        <option key={hours} value={hours}>
          {names[hours]}
        </option>
      ))}
    </SelectField>
  );
}
