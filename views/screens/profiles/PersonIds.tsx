/** The ids a person is known by, and how each came to them. */
import { peopleWords } from '#views/words/people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Item, type PersonFactsProps, SaidBy } from './FactList.tsx';
import css from './Person.module.css';

export function PersonIds({ project, person, timeZone }: PersonFactsProps) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const { ids, moreIds, uuid } = person;
  return (
    <section aria-label={text.ids}>
      <h2>
        {text.ids} <span className="dim num">{format.number(ids.length + moreIds)}</span>
      </h2>
      <dl className={css['list']}>
        {ids.map(({ distinctId, joined }) => (
          <Item key={distinctId} name={joined === null ? text.ownId : text.mergedId}>
            <span className={`mono ${css['id']}`}>{distinctId}</span>
            {joined?.by && <SaidBy project={project} person={uuid} by={joined.by} timeZone={timeZone} />}
            {joined && joined.by === null && (
              <span className={css['by']}>{text.joined(format.dayTime(joined.at, timeZone))}</span>
            )}
          </Item>
        ))}
      </dl>
      {moreIds > 0 && <p className="dim">{text.moreIds(format.number(moreIds))}</p>}
    </section>
  );
}
