/** Takes along what the explorer shows. */
import { smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart } from '#views/words/words.tsx';
import { ExportChoices, type ExportChoicesProps } from './ExportChoices.tsx';

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
