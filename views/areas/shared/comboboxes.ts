/** Shared code of areas with comboboxes. */
import '#views/kit/ComboboxField.tsx';
import '#views/kit/TimeZoneField.tsx';
import '#views/kit/use-options.ts';
import '#views/words/report-rules.ts';
import '#src/profiles/values.ts';
import '#views/event/values.ts';
import '#views/kit/LongText.tsx';
import '#views/kit/Section.tsx';
