/** Notice when filters exclude everything. */
import { ButtonLink } from '#views/kit/Button.tsx';
import { State } from '#views/kit/State.tsx';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import { PeopleSentences } from './PeopleSentences.tsx';
import { criterionSentence, type PeopleWording } from './people-wording.ts';
import { useReading } from './reading.ts';
import { sentenceOf, wordOf } from './wording.ts';

export interface NothingFoundProps {
  path: string;
  question: Question;
}

export function NothingFound(props: NothingFoundProps) {
  return (
    <PeopleSentences people={props.question.people}>
      {(wording) => <Nothing {...props} wording={wording} />}
    </PeopleSentences>
  );
}

function Nothing({ path, question, wording }: NothingFoundProps & { wording: PeopleWording }) {
  const text = usePart(filterWords);
  const reading = useReading();
  const { filters, people } = question;
  const who = people?.of.map((each) => criterionSentence(each, wording)).join(` ${text[people.match]} `) ?? '';
  const leaves = (filters?.of ?? []).flatMap((item) => ('of' in item ? item.of : [item]));
  const isOfEvents = leaves.some((each) => each.about === 'event' && wordOf(each, text) === null);
  const sentences = (filters?.of ?? []).map((item) =>
    'of' in item
      ? item.of.map((each) => sentenceOf(each, text, reading)).join(` ${text[item.match]} `)
      : sentenceOf(item, text, reading),
  );
  return (
    <State
      icon="filter"
      title={text.emptyTitle}
      actions={
        <ButtonLink small href={addressOf(path, { ...question, filters: null, people: null, segment: null })}>
          {text.clear}
        </ButtonLink>
      }
    >
      {text.emptyText}{' '}
      {sentences.length > 0 && (
        <span suppressHydrationWarning>{sentences.join(` ${text[filters?.match ?? 'all']} `)}.</span>
      )}
      {who !== '' && (
        <span suppressHydrationWarning>
          {' '}
          {wording.text.title.replace('…', '')} {who}.
        </span>
      )}
      {isOfEvents && ` ${text.emptyOfEvents}`}
    </State>
  );
}
