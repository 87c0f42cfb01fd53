/**
 * The filters in force, each in words with a way to take it off, and the way to another. The server draws them and their links; what
 * changes a filter is loaded when it is first opened.
 */
import { type KeyboardEvent, Suspense, useId, useState } from 'react';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { PopoverBox } from '#views/kit/Popover.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import { withAdded, withMatch, withoutCondition, withReplaced } from './change.ts';
import css from './FilterChips.module.css';
import type { FilterEditorProps, Part } from './FilterEditor.tsx';
import { useReading } from './reading.ts';
import { SegmentChoice } from './SegmentChoice.tsx';
import { sentenceOf, shownValues, wordOf } from './wording.ts';

const FilterEditor = lazyPart<FilterEditorProps>(
  'FilterEditor',
  async () => (await import('./FilterEditor.tsx')).FilterEditor,
);

export interface FilterChipsProps {
  path: string;
  question: Question;
  /** Filters can be kept under a name, and stand within such. */
  withSegments?: boolean;
}

export function FilterChips({ path, question, withSegments = false }: FilterChipsProps) {
  const text = usePart(filterWords);
  const { filters } = question;
  const items = filters?.of ?? [];
  const match = filters?.match ?? 'all';
  return (
    <div className={css['filters']}>
      {withSegments && (
        <Suspense>
          <SegmentChoice path={path} question={question} />
        </Suspense>
      )}
      {items.length > 0 && (
        <ul className={css['list']} aria-label={text.chips}>
          {items.map((item, place) => (
            <li key={JSON.stringify(item)} className={css['place']}>
              {place === 1 && <Joined path={path} question={question} />}
              {place > 1 && <span className={css['joined']}>{text[match]}</span>}
              <FilterChip path={path} question={question} item={item} place={place} />
            </li>
          ))}
        </ul>
      )}
      <Adding path={path} question={question} />
      {items.length > 1 && (
        <Link href={addressOf(path, { ...question, filters: null })} className={classNames(css['clear'], 'no-print')}>
          {text.clearAll}
        </Link>
      )}
    </div>
  );
}

/** How the filters are joined; press for the other way. */
function Joined({ path, question }: FilterChipsProps) {
  const text = usePart(filterWords);
  const match = question.filters?.match ?? 'all';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and these are links
    <span className={css['match']} role="group" aria-label={text.match}>
      {(['all', 'any'] as const).map((each) => (
        <Link
          key={each}
          href={addressOf(path, withMatch(question, each))}
          aria-current={each === match ? 'true' : undefined}
          className={classNames(each === match && css['current'])}
        >
          {text[each]}
        </Link>
      ))}
    </span>
  );
}

function FilterChip({
  path,
  question,
  item,
  place,
}: FilterChipsProps & { item: Filters['of'][number]; place: number }) {
  const { navigate } = useNavigation();
  const text = usePart(filterWords);
  const reading = useReading();
  const leaves = 'of' in item ? item.of : [item];
  const joint = 'of' in item ? ` ${text[item.match]} ` : '';
  const sentence = leaves.map((leaf) => sentenceOf(leaf, text, reading)).join(joint);
  const without = addressOf(path, withoutCondition(question, place));

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const inForm = (event.target as Element).closest('[popover]') !== null;
    if (inForm || (event.key !== 'Backspace' && event.key !== 'Delete')) return;
    event.preventDefault();
    // What comes next has the focus, or it would be lost with the chip.
    event.currentTarget.closest('search')?.querySelector<HTMLElement>('[data-hotkey=f]')?.focus();
    navigate(without);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <span role="group" aria-label={sentence} className={css['chip']} onKeyDown={onKeyDown}>
      {'of' in item ? (
        <span className={css['words']}>{sentence}</span>
      ) : (
        <Parts path={path} question={question} condition={item} place={place} sentence={sentence} />
      )}
      <Link href={without} className={css['remove']} aria-label={text.remove(sentence)}>
        <Icon name="x" small />
      </Link>
    </span>
  );
}

interface PartsProps extends FilterChipsProps {
  condition: FilterCondition;
  place: number;
  sentence: string;
}

/** Each part of a condition changes that part. */
function Parts({ path, question, condition, place, sentence }: PartsProps) {
  const text = usePart(filterWords);
  const reading = useReading();
  const [part, setPart] = useState<Part>('value');
  const id = useId();
  const word = wordOf(condition, text);
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
            <span className={font} suppressHydrationWarning>
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
        addressFor={(changed) => addressOf(path, withReplaced(question, place, changed))}
      />
    </>
  );
}

function Adding({ path, question }: FilterChipsProps) {
  const text = usePart(filterWords);
  const id = useId();
  return (
    <span className={classNames(css['adding'], 'no-print', 'script-only')}>
      <Button kind="quiet" small icon="filter" popoverTarget={id} data-hotkey="f" aria-haspopup="dialog">
        {text.add}
      </Button>
      <EditorBox
        id={id}
        label={text.title}
        part="property"
        question={question}
        condition={null}
        addressFor={(added) => addressOf(path, withAdded(question, added))}
      />
    </span>
  );
}

/** A form of its own for each time that it is opened. */
function EditorBox({ id, label, ...editor }: FilterEditorProps & { id: string; label: string }) {
  const [turn, setTurn] = useState(0);
  return (
    <PopoverBox id={id} label={label} className={css['box']} onOpen={() => setTurn((last) => last + 1)}>
      {turn > 0 && (
        <Suspense>
          <FilterEditor key={turn} {...editor} />
        </Suspense>
      )}
    </PopoverBox>
  );
}
