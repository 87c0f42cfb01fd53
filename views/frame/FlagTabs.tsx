/** Feature flags and experiments on them. */
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { experimentTabWords } from '#views/words/experiment-tabs.ts';
import { usePart } from '#views/words/words.tsx';
import { experimentsOf, flagsOf } from './addresses.ts';
import css from './PeopleTabs.module.css';

export function FlagTabs({ project, current }: { project: string; current: 'flags' | 'experiments' }) {
  const text = usePart(experimentTabWords);
  const hrefs = { flags: flagsOf, experiments: experimentsOf };
  return (
    <div className={css['tabs']}>
      <LinkTabs
        back
        label={text.label}
        tabs={(['flags', 'experiments'] as const).map((key) => ({
          key,
          label: text[key],
          href: hrefs[key](project),
          current: key === current,
        }))}
      />
    </div>
  );
}
