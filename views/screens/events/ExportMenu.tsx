/** Takes along what the explorer shows. */
import { smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart } from '#views/words/words.tsx';
import type { ExportChoicesProps } from './ExportChoices.tsx';

const ExportChoices = lazyPart<ExportChoicesProps>(
  'ExportChoices',
  async () => (await import('./ExportChoices.tsx')).ExportChoices,
);

export function ExportMenu(props: ExportChoicesProps) {
  const text = usePart(eventListWords);
  return (
    <Popover
      align="end"
      label={text.take}
      triggerClass={smallButtonClass}
      trigger={
        <>
          <Icon name="intake" />
          {text.take}
        </>
      }
    >
      <Late>
        <ExportChoices {...props} />
      </Late>
    </Popover>
  );
}
