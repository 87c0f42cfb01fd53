/**
 * The filters in force, each in words with a way to take it off, and the way to another. The server draws them and their links; what
 * changes a filter is loaded when it is first opened.
 */

import { useId } from 'react';
import { MAX_CONDITIONS } from '#src/columns/values.ts';
import { MAX_CRITERIA } from '#src/insights/query/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import { EditorBox, Parts } from './ChipParts.tsx';
import {
  type FilterItem,
  withAdded,
  withCriterion,
  withList,
  withMatch,
  withoutCondition,
  withReplaced,
} from './change.ts';
import css from './FilterChips.module.css';
import { GoneGoal } from './GoneGoal.tsx';
import { Joined, ListChip } from './ListChip.tsx';
import { isLeftOut } from './left-out.ts';
import { OfRows } from './of-rows.ts';
import { PeopleChips } from './PeopleChips.tsx';
import { useReading } from './reading.ts';
import type { SegmentBarProps } from './SegmentBar.tsx';
import { SegmentChoice } from './SegmentChoice.tsx';
import type { OpenSegment } from './segment-edit.ts';
import { UnknownEvents } from './UnknownEvents.tsx';
import { useLeave } from './use-leave.ts';
import { sentenceOf } from './wording.ts';

const SegmentBar = lazyPart<SegmentBarProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).SegmentBar,
);

export interface FilterChipsProps {
  path: string;
  question: Question;
  /** Filters can be kept under a name, and stand within such. */
  withSegments?: boolean;
  /** They are for looking at events one by one. */
  ofRows?: boolean;
  /** Names of events that the screen asks for besides. */
  events?: readonly string[];
}

export function FilterChips({ ofRows = false, ...chips }: FilterChipsProps) {
  return (
    <OfRows value={ofRows}>
      <Chips {...chips} />
    </OfRows>
  );
}

function Chips({ path, question, withSegments = false, events }: Omit<FilterChipsProps, 'ofRows'>) {
  const text = usePart(filterWords);
  const hasSegment = (question.segment ?? question.edited) !== null;
  const count = (question.filters?.of.length ?? 0) + (question.people?.of.length ?? 0);
  return (
    <div className={css['filters']}>
      {withSegments && (
        <Late>
          {hasSegment ? (
            <SegmentBar path={path} question={question} choice={<SegmentChoice path={path} question={question} />}>
              {(open) => <ChipList path={path} question={open?.question ?? question} isNew={open?.isNew} />}
            </SegmentBar>
          ) : (
            <SegmentChoice path={path} question={question} />
          )}
          <GoneGoal path={path} question={question} />
        </Late>
      )}
      {!(withSegments && hasSegment) && <ChipList path={path} question={question} />}
      {count > 1 && !hasSegment && (
        <Link
          href={addressOf(path, { ...question, filters: null, people: null })}
          className={classNames(css['clear'], 'no-print')}
        >
          {text.clearAll}
        </Link>
      )}
      <LeftOut path={path} question={question} />
      <Late>
        <UnknownEvents path={path} question={question} {...(events && { events })} />
      </Late>
    </div>
  );
}

interface ChipListProps extends Pick<FilterChipsProps, 'path' | 'question'> {
  /** True for a condition that is not saved in the open segment. */
  isNew?: OpenSegment['isNew'] | undefined;
}

function ChipList({ path, question, isNew }: ChipListProps) {
  const text = usePart(filterWords);
  const items = question.filters?.of ?? [];
  const match = question.filters?.match ?? 'all';
  return (
    <>
      {items.length > 0 && (
        <ul className={css['list']} aria-label={text.chips}>
          {items.map((item, place) => (
            <li key={JSON.stringify(item)} className={classNames(css['place'], isNew?.(item) && css['new'])}>
              {place === 1 && (
                <Joined match={match} addressFor={(each) => addressOf(path, withMatch(question, each))} />
              )}
              {place > 1 && <span className={css['joined']}>{text[match]}</span>}
              <FilterChip path={path} question={question} item={item} place={place} />
            </li>
          ))}
        </ul>
      )}
      {question.people !== null && (
        <Late>
          <PeopleChips path={path} question={question} isNew={isNew} />
        </Late>
      )}
      {items.length < MAX_CONDITIONS && <Adding path={path} question={question} />}
    </>
  );
}

/** An old link still shows something, but not as what it is not. */
function LeftOut({ path, question }: FilterChipsProps) {
  const text = usePart(filterWords);
  if (!isLeftOut(question)) return null;
  const isEverybody = (question.filters ?? question.people ?? question.segment) === null;
  return (
    <p role="status" className={css['leftOut']}>
      <Icon name="info" small /> {text.leftOut} {isEverybody && `${text.everybody} `}
      <Link href={addressOf(path, question)} className="link no-print">
        {text.takeOut}
      </Link>
    </p>
  );
}

function FilterChip({ path, question, item, place }: FilterChipsProps & { item: FilterItem; place: number }) {
  const text = usePart(filterWords);
  const reading = useReading();
  const leaves = 'of' in item ? item.of : [item];
  const joint = 'of' in item ? ` ${text[item.match]} ` : '';
  const sentence = leaves.map((leaf) => sentenceOf(leaf, text, reading)).join(joint);
  const without = addressOf(path, withoutCondition(question, place));

  const onKeyDown = useLeave(without);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <span
      role="group"
      aria-label={sentence}
      className={classNames(css['chip'], 'of' in item && css['group'])}
      onKeyDown={onKeyDown}
    >
      {'of' in item ? (
        <ListChip
          question={question}
          list={item}
          addressFor={(changed) => addressOf(path, withList(question, place, changed))}
        />
      ) : (
        <Parts
          question={question}
          condition={item}
          sentence={sentence}
          joint={jointIn(question)}
          addressFor={(changed) => addressOf(path, withReplaced(question, place, changed))}
        />
      )}
      <Link href={without} className={css['remove']} aria-label={text.remove(sentence)}>
        <Icon name="x" small />
      </Link>
    </span>
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
        joint={jointIn(question)}
        addressFor={(added) => addressOf(path, withAdded(question, added))}
        {...((question.people?.of.length ?? 0) < MAX_CRITERIA && {
          addressForPeople: (added) => addressOf(path, withCriterion(question, added, null)),
        })}
      />
    </span>
  );
}

/** Lists within an AND are ORs, and the other way round: any other would be the same without it. */
function jointIn({ filters }: Question): 'all' | 'any' {
  return filters?.match === 'any' ? 'all' : 'any';
}
