/** Shared code of areas with comboboxes. */
import '#views/kit/ComboboxField.tsx';
import '#views/kit/TimeZoneField.tsx';
import '#views/kit/use-options.ts';
import '#views/words/report-rules.ts';
