/** The three lists about events. */
import { definitionsOf, eventsOf, exportsOf } from '#views/frame/addresses.ts';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart } from '#views/words/words.tsx';
import css from './EventTabs.module.css';

export function EventTabs({ project, current }: { project: string; current: 'list' | 'definitions' | 'exports' }) {
  const text = usePart(eventListWords);
  const hrefs = { list: eventsOf, definitions: definitionsOf, exports: exportsOf };
  return (
    <div className={css['tabs']}>
      <LinkTabs
        back
        label={text.tabsLabel}
        tabs={(['list', 'definitions', 'exports'] as const).map((key) => ({
          key,
          label: text.tabs[key],
          href: hrefs[key](project),
          current: key === current,
        }))}
      />
    </div>
  );
}
