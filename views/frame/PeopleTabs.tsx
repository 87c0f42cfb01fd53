/** The lists about people, and about the groups that they belong to. */
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { cohortTabWords } from '#views/words/cohort-tabs.ts';
import { usePart } from '#views/words/words.tsx';
import { cohortsOf, groupsOf, peopleOf } from './addresses.ts';
import { useGroupTypes } from './group-types.ts';
import css from './PeopleTabs.module.css';

interface PeopleTabsProps {
  project: string;
  /** A number: groups of this type. Null: none of them. */
  current: 'people' | 'cohorts' | number | null;
}

export function PeopleTabs({ project, current }: PeopleTabsProps) {
  const text = usePart(cohortTabWords);
  const types = useGroupTypes();
  const hrefs = { people: peopleOf, cohorts: cohortsOf };
  return (
    <div className={css['tabs']}>
      <LinkTabs
        back
        label={text.label}
        tabs={[
          ...(['people', 'cohorts'] as const).map((key) => ({
            key: key as string,
            label: text[key],
            href: hrefs[key](project),
            current: key === current,
          })),
          ...types.map(({ type, plural }) => ({
            key: String(type),
            label: plural,
            href: `${groupsOf(project)}?type=${type}`,
            current: type === current,
          })),
        ]}
      />
    </div>
  );
}
