/** A time zone, found by typing any part of its name. The list is the browser's own, which the server cannot know: it comes after the page. */
import { type ReactNode, useEffect, useId, useState } from 'react';
import { TextField } from './Field.tsx';

export interface TimeZoneFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  name?: string;
  value: string;
  onChange(value: string): void;
}

export function TimeZoneField({ value, onChange, name = 'timeZone', ...field }: TimeZoneFieldProps) {
  const list = useId();
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => setZones(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]), []);
  return (
    <>
      <TextField
        {...field}
        name={name}
        list={list}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** The zone of this browser, known once the page is there. */
export function useOwnTimeZone(): string | null {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return zone;
}
