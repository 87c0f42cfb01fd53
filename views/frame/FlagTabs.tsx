/** Feature flags and experiments on them. */
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { experimentTabWords } from '#views/words/experiment-tabs.ts';
import { usePart } from '#views/words/words.tsx';
import { earlyAccessOf, experimentsOf, flagsOf } from './addresses.ts';
import css from './PeopleTabs.module.css';

const tabs = ['flags', 'experiments', 'earlyAccess'] as const;
type FlagTab = (typeof tabs)[number];

export function FlagTabs({ project, current }: { project: string; current: FlagTab }) {
  const text = usePart(experimentTabWords);
  const hrefs = { flags: flagsOf, experiments: experimentsOf, earlyAccess: earlyAccessOf };
  return (
    <div className={css['tabs']}>
      <LinkTabs
        back
        label={text.label}
        tabs={tabs.map((key) => ({
          key,
          label: text[key],
          href: hrefs[key](project),
          current: key === current,
        }))}
      />
    </div>
  );
}
