/** Buttons that resolve, ignore and reopen: of one issue, or of those that are selected. */
import type { ReactNode } from 'react';
import type { IssueChange } from '#src/errors/contract.ts';
import type { IssueStatus } from '#src/errors/values.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { issueWords } from '#views/words/issues.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Issues.module.css';

const EVENT_CHOICES = [10, 100, 1_000];
const PEOPLE_CHOICES = [10, 100];
const DAY_CHOICES = [1, 7, 30];

interface ChangeMenusProps {
  /** Null: of several issues. */
  status: IssueStatus | null;
  /** Newest release; null: none is known. */
  release: string | null;
  change(change: IssueChange): unknown;
  /** Absent: fewer than two issues. */
  merge?: (() => unknown) | undefined;
}

export function ChangeMenus({ status, release, change, merge }: ChangeMenusProps) {
  const own = usePart(issueWords);
  const { format } = useWords();
  return (
    <>
      {merge && (
        <Button small className="script-only" onClick={merge}>
          {own.merge}
        </Button>
      )}
      {status !== 'active' && (
        <Button small className="script-only" onClick={() => change({ to: 'active' })}>
          {own.reopen}
        </Button>
      )}
      {status !== 'ignored' && (
        <Popover
          label={own.ignore}
          align="end"
          list
          triggerClass={classNames(smallButtonClass, 'script-only')}
          trigger={
            <>
              {own.ignore}
              <Icon name="down" small />
            </>
          }
        >
          <ul>
            <Option run={() => change({ to: 'ignored' })}>{own.ignoreForever}</Option>
            {EVENT_CHOICES.map((events) => (
              <Option key={events} run={() => change({ to: 'ignored', events })}>
                {own.ignoreEvents(format.number(events))}
              </Option>
            ))}
            {PEOPLE_CHOICES.map((people) => (
              <Option key={people} run={() => change({ to: 'ignored', people })}>
                {own.ignorePeople(format.number(people))}
              </Option>
            ))}
            {DAY_CHOICES.map((days) => (
              <Option key={days} run={() => change({ to: 'ignored', days })}>
                {own.ignoreDays(days, format.number(days))}
              </Option>
            ))}
          </ul>
          <UntilDate change={change} />
        </Popover>
      )}
      {status !== 'resolved' && (
        <>
          <Button small kind="primary" icon="check" className="script-only" onClick={() => change({ to: 'resolved' })}>
            {own.resolve}
          </Button>
          {release !== null && (
            <Popover
              label={own.resolveMore}
              align="end"
              list
              triggerClass={classNames(smallButtonClass, css['square'], 'script-only')}
              trigger={
                <>
                  <Icon name="down" small />
                  <span className="visually-hidden">{own.resolveMore}</span>
                </>
              }
            >
              <ul>
                <Option run={() => change({ to: 'resolved' })}>{own.resolveNow}</Option>
                <Option run={() => change({ to: 'resolved', until: 'next_release' })}>
                  {own.resolveNext}
                  <span className={css['below']}>{own.resolveNextHint(release)}</span>
                </Option>
              </ul>
            </Popover>
          )}
        </>
      )}
    </>
  );
}

function UntilDate({ change }: Pick<ChangeMenusProps, 'change'>) {
  const own = usePart(issueWords);
  return (
    <form
      className={css['until']}
      onSubmit={(event) => {
        event.preventDefault();
        const until = String(new FormData(event.currentTarget).get('until') ?? '');
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        if (until !== '') change({ to: 'ignored', until });
      }}
    >
      <label>
        {own.ignoreUntil}
        <input type="date" name="until" required className="input" />
      </label>
      <Button small type="submit">
        {own.set}
      </Button>
    </form>
  );
}

/** A row of a menu, which closes it. */
export function Option({ run, pressed, children }: { run(): unknown; pressed?: boolean; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        className={optionClass(pressed)}
        aria-pressed={pressed}
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
          run();
        }}
      >
        {children}
      </button>
    </li>
  );
}
