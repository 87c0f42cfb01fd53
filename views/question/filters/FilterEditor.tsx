/** Sets a filter: one condition, or several of which one list is made. */

import { type FormEvent, useRef, useState } from 'react';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { MAX_CONDITIONS } from '#src/columns/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import type { WhoKind } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { ConditionFields, type ConditionRead, type Part } from './ConditionFields.tsx';
import type { FilterItem } from './change.ts';
import css from './FilterEditor.module.css';
import { PeopleForm } from './PeopleForm.tsx';
import type { PeopleCriterion } from './people-address.ts';
import { useReading } from './reading.ts';
import { sentenceOf } from './wording.ts';

export interface FilterEditorProps {
  question: Question;
  /** Null: a new one. */
  condition: FilterCondition | null;
  part: Part;
  /** How a list is joined that is made here; absent: none is. */
  joint?: Filters['match'] | undefined;
  addressFor(item: FilterItem): string;
  /** Sets of persons are offered too. */
  addressForPeople?: (criterion: PeopleCriterion) => string;
}

export function FilterEditor({ addressForPeople, ...editor }: FilterEditorProps) {
  const [kind, setKind] = useState<WhoKind | null>(null);
  if (kind === null || addressForPeople === undefined) {
    return <ConditionForm {...editor} onPeople={addressForPeople && setKind} />;
  }
  return <PeopleForm question={editor.question} criterion={null} kind={kind} addressFor={addressForPeople} />;
}

type ConditionFormProps = Omit<FilterEditorProps, 'addressForPeople'> & {
  onPeople: ((kind: WhoKind) => void) | undefined;
};

function ConditionForm({ question, condition, part, joint, addressFor, onPeople }: ConditionFormProps) {
  const text = usePart(filterFormWords);
  const filterText = usePart(filterWords);
  const { navigate } = useNavigate();
  const reading = useReading();
  const [begun, setBegun] = useState<readonly FilterCondition[]>([]);
  const fields = useRef<ConditionRead>(null);
  const form = useRef<HTMLFormElement>(null);

  /** @param more another condition follows, as an alternative to this one */
  async function finish(more = false): Promise<void> {
    // The one that was begun last may come to nothing.
    const set = await fields.current?.read(more || begun.length === 0);
    if (set === undefined || set === 'wrong') return;
    const all = set === null ? begun : [...begun, set];
    if (more) setBegun(all);
    else leave(all);
  }

  function leave(conditions: readonly FilterCondition[]): void {
    const [only] = conditions;
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    if (only === undefined) return;
    navigate(addressFor(conditions.length === 1 || joint === undefined ? only : { match: joint, of: [...conditions] }));
  }

  return (
    <form
      ref={form}
      noValidate
      className={css['editor']}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void finish();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void finish();
      }}
    >
      {joint !== undefined && begun.length > 0 && (
        <ul className={css['begun']} aria-label={text.group}>
          {begun.map((each) => (
            <li key={JSON.stringify(each)}>
              <span className="clip" suppressHydrationWarning>
                {sentenceOf(each, filterText, reading)}
              </span>{' '}
              <span className="dim">{filterText[joint]}</span>
            </li>
          ))}
        </ul>
      )}
      <ConditionFields
        key={begun.length}
        reader={fields}
        question={question}
        condition={begun.length === 0 ? condition : null}
        part={begun.length === 0 ? part : 'property'}
        onPeople={begun.length === 0 ? onPeople : undefined}
        onDone={() => void finish()}
      />
      <div className={css['end']}>
        {joint !== undefined && begun.length < MAX_CONDITIONS - 1 && (
          <Button small kind="quiet" onClick={() => void finish(true)}>
            {text.another[joint]}
          </Button>
        )}
        <Button type="submit" kind="primary" small>
          {text.apply}
        </Button>
      </div>
    </form>
  );
}
