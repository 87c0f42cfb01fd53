/** Criteria on people in words, each removable; a click opens the form. */
import { useId, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { PopoverBox } from '#views/kit/Popover.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import { withCriterion, withoutCriterion, withPeopleMatch } from './change.ts';
import css from './FilterChips.module.css';
import { Joined } from './ListChip.tsx';
import type { PeopleFormProps } from './PeopleForm.tsx';
import { PeopleSentences } from './PeopleSentences.tsx';
import type { PeopleCriterion } from './people-address.ts';
import { criterionSentence, type PeopleWording, wordsOf } from './people-wording.ts';
import { useLeave } from './use-leave.ts';

const PeopleForm = lazyPart<PeopleFormProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).PeopleForm,
);

export interface PeopleChipsProps {
  path: string;
  question: Question;
  /** True for a criterion that is not saved in the open segment. */
  isNew?: ((criterion: PeopleCriterion) => boolean) | undefined;
}

export function PeopleChips(props: PeopleChipsProps) {
  return (
    <PeopleSentences people={props.question.people}>
      {(wording) => <WordedChips {...props} wording={wording} />}
    </PeopleSentences>
  );
}

function WordedChips({ path, question, isNew, wording }: PeopleChipsProps & { wording: PeopleWording }) {
  const { people } = question;
  const filterText = usePart(filterWords);
  if (people === null) return null;
  const { match, of } = people;
  return (
    <ul className={css['list']} aria-label={wording.text.chips}>
      {of.map((criterion, place) => (
        <li key={JSON.stringify(criterion)} className={classNames(css['place'], isNew?.(criterion) && css['new'])}>
          {place === 0 && <span className={css['joined']}>{wording.text.people}</span>}
          {place === 1 && (
            <Joined
              match={match}
              label={wording.text.match}
              addressFor={(each) => addressOf(path, withPeopleMatch(question, each))}
            />
          )}
          {place > 1 && <span className={css['joined']}>{filterText[match]}</span>}
          <PeopleChip path={path} question={question} criterion={criterion} place={place} wording={wording} />
        </li>
      ))}
    </ul>
  );
}

function PeopleChip(props: PeopleChipsProps & { criterion: PeopleCriterion; place: number; wording: PeopleWording }) {
  const { path, question, criterion, place, wording } = props;
  const [turn, setTurn] = useState(0);
  const id = useId();
  const { does, what, isData, where, times, when } = wordsOf(criterion, wording);
  const sentence = criterionSentence(criterion, wording);
  const without = addressOf(path, withoutCriterion(question, place));

  const onKeyDown = useLeave(without);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <span role="group" aria-label={sentence} className={classNames(css['chip'], css['wording'])} onKeyDown={onKeyDown}>
      <button type="button" popoverTarget={id} className={css['part']} aria-haspopup="dialog">
        <span className={css['dim']}>{does} </span>
        {what !== '' && <span className={classNames(css['value'], isData && 'mono')}>{what} </span>}
        {where !== '' && <span suppressHydrationWarning>{where} </span>}
        {times !== '' && <span className="num">{times} </span>}
        {when !== '' && (
          <span className={what === '' ? css['value'] : css['dim']} suppressHydrationWarning>
            {when}
          </span>
        )}
      </button>
      <PopoverBox
        id={id}
        label={wording.text.edit(sentence)}
        className={css['box']}
        onOpen={() => setTurn((last) => last + 1)}
      >
        {turn > 0 && (
          <Late>
            <PeopleForm
              key={turn}
              question={question}
              criterion={criterion}
              kind={null}
              addressFor={(changed) => addressOf(path, withCriterion(question, changed, place))}
            />
          </Late>
        )}
      </PopoverBox>
      <Link href={without} className={css['remove']} aria-label={wording.text.remove(sentence)}>
        <Icon name="x" small />
      </Link>
    </span>
  );
}
