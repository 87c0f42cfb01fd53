/** Parts of a filter chip: one for each editable field, and the form, loaded when it is first opened. */
import { useId, useState } from 'react';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { PopoverBox } from '#views/kit/Popover.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import type { Part } from './ConditionFields.tsx';
import type { FilterItem } from './change.ts';
import css from './FilterChips.module.css';
import type { FilterEditorProps } from './FilterEditor.tsx';
import { useReading } from './reading.ts';
import { shownValues, wordOf } from './wording.ts';

const FilterEditor = lazyPart<FilterEditorProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).FilterEditor,
);

export interface PartsProps {
  question: Question;
  condition: FilterCondition;
  /** The condition in words. */
  sentence: string;
  /** How it becomes a list with others; absent: it is in one. */
  joint?: Filters['match'];
  addressFor(changed: FilterItem): string;
}

/** Each part of a condition changes that part. */
export function Parts({ question, condition, sentence, joint, addressFor }: PartsProps) {
  const text = usePart(filterWords);
  const reading = useReading();
  const [part, setPart] = useState<Part>('value');
  const id = useId();
  const word = wordOf(condition, text, reading.groups);
  const values = shownValues(condition, text, reading);
  const data = word === null ? 'mono' : undefined;
  const shown: { each: Part; content: string; look: string | undefined; font?: string | undefined }[] = [
    { each: 'property', content: word ?? condition.name, look: css['dim'], font: data },
    { each: 'operator', content: text.operators[condition.operator], look: css['dim'] },
    { each: 'value', content: values, look: css['value'], font: data },
  ];
  return (
    <>
      {shown
        .filter(({ content }) => content !== '')
        .map(({ each, content, look, font }) => (
          <button
            key={each}
            type="button"
            popoverTarget={id}
            className={classNames(css['part'], look)}
            onClick={() => setPart(each)}
            aria-haspopup="dialog"
          >
            <span className={classNames(css['words'], font)} suppressHydrationWarning>
              {content}
            </span>
          </button>
        ))}
      <EditorBox
        id={id}
        label={text.edit(sentence)}
        part={part}
        question={question}
        condition={condition}
        joint={joint}
        addressFor={addressFor}
      />
    </>
  );
}

/** A new form each time it is opened. */
export function EditorBox({ id, label, ...editor }: FilterEditorProps & { id: string; label: string }) {
  const [turn, setTurn] = useState(0);
  return (
    <PopoverBox id={id} label={label} className={css['box']} onOpen={() => setTurn((last) => last + 1)}>
      {turn > 0 && (
        <Late>
          <FilterEditor key={turn} {...editor} />
        </Late>
      )}
    </PopoverBox>
  );
}
