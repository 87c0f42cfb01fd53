/** A time zone, found by typing any part of its name. The list is the browser's own, which the server cannot know: it comes after the page. */
import { type ReactNode, useEffect, useState } from 'react';
import { offsetName } from '#views/words/zone.ts';
import { ComboboxField } from './ComboboxField.tsx';

export interface TimeZoneFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  name?: string;
  value: string;
  onChange(value: string): void;
}

export function TimeZoneField({ name = 'timeZone', ...field }: TimeZoneFieldProps) {
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => setZones(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]), []);
  return (
    <ComboboxField {...field} strict name={name} options={zones} asideOf={(zone) => offsetName(Date.now(), zone)} />
  );
}

/** The zone of this browser, known once the page is there. */
export function useOwnTimeZone(): string | null {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return zone;
}
