/** What areas share in which one of many is chosen by typing, besides what every page has. */
import '#views/kit/ComboboxField.tsx';
import '#views/kit/TimeZoneField.tsx';
import '#views/kit/use-options.ts';
