/** The lists about people. */
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { cohortTabWords } from '#views/words/cohort-tabs.ts';
import { usePart } from '#views/words/words.tsx';
import { cohortsOf, peopleOf } from './addresses.ts';
import css from './PeopleTabs.module.css';

export function PeopleTabs({ project, current }: { project: string; current: 'people' | 'cohorts' }) {
  const text = usePart(cohortTabWords);
  const hrefs = { people: peopleOf, cohorts: cohortsOf };
  return (
    <div className={css['tabs']}>
      <LinkTabs
        back
        label={text.label}
        tabs={(['people', 'cohorts'] as const).map((key) => ({
          key,
          label: text[key],
          href: hrefs[key](project),
          current: key === current,
        }))}
      />
    </div>
  );
}
