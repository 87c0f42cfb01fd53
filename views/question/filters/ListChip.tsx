/** A list of conditions within the filters, as one chip: each can be changed and taken off, another joined, and the way they are joined turned. */

import { useId } from 'react';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { MAX_CONDITIONS } from '#src/columns/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { EditorBox, Parts } from './ChipParts.tsx';
import type { ConditionList, FilterItem } from './change.ts';
import css from './FilterChips.module.css';
import { useReading } from './reading.ts';
import { sentenceOf } from './wording.ts';

export interface ListChipProps {
  question: Question;
  list: ConditionList;
  addressFor(changed: ConditionList): string;
}

export function ListChip({ question, list, addressFor }: ListChipProps) {
  const text = usePart(filterWords);
  const reading = useReading();
  const id = useId();
  const { match, of } = list;
  const changed = (next: readonly FilterItem[]) =>
    addressFor({ match, of: next.flatMap((each): FilterCondition[] => ('of' in each ? each.of : [each])) });
  return (
    <>
      {of.map((condition, place) => {
        const sentence = sentenceOf(condition, text, reading);
        return (
          <span key={JSON.stringify(condition)} className={css['member']}>
            {place === 1 && <Joined match={match} addressFor={(each) => addressFor({ match: each, of })} />}
            {place > 1 && <span className={css['joined']}>{text[match]}</span>}
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
            <span role="group" aria-label={sentence} className={css['inner']}>
              <Parts
                question={question}
                condition={condition}
                sentence={sentence}
                addressFor={(other) => changed(of.map((each, at) => (at === place ? other : each)))}
              />
              <Link
                href={changed(of.filter((_, at) => at !== place))}
                className={css['remove']}
                aria-label={text.remove(sentence)}
              >
                <Icon name="x" small />
              </Link>
            </span>
          </span>
        );
      })}
      {of.length < MAX_CONDITIONS && (
        <span className={classNames(css['adding'], 'no-print', 'script-only')}>
          <Button kind="quiet" small popoverTarget={id} aria-haspopup="dialog" aria-label={text.addTo}>
            + {text[match]}
          </Button>
          <EditorBox
            id={id}
            label={text.addTo}
            part="property"
            question={question}
            condition={null}
            addressFor={(added) => changed([...of, added])}
          />
        </span>
      )}
    </>
  );
}

export interface JoinedProps {
  match: Filters['match'];
  /** Label of the joined items; absent: filters. */
  label?: string;
  addressFor(match: Filters['match']): string;
}

/** How conditions are joined; press for the other way. */
export function Joined({ match, label, addressFor }: JoinedProps) {
  const text = usePart(filterWords);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and these are links
    <span className={css['match']} role="group" aria-label={label ?? text.match}>
      {(['all', 'any'] as const).map((each) => (
        <Link
          key={each}
          href={addressFor(each)}
          aria-current={each === match ? 'true' : undefined}
          className={classNames(each === match && css['current'])}
        >
          {text[each]}
        </Link>
      ))}
    </span>
  );
}
