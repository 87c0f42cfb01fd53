/** Notice of events in a query that have never been received, with links to similar names. */

import { MAX_NAMES_LOOKED_UP } from '#src/insights/query/values.ts';
import type { UnknownEvent } from '#src/insights/unknown-events/contract.ts';
import { useAddress } from '#views/frame/queries.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { unknownEventWords } from '#views/words/unknown-events.ts';
import { usePart } from '#views/words/words.tsx';
import { DidYouMean } from '../DidYouMean.tsx';
import { addressOf, type Question } from '../question.ts';
import { withEventRenamed } from './change.ts';
import css from './FilterChips.module.css';

interface UnknownEventsProps {
  path: string;
  question: Question;
}

/** @param events names that the screen asks for besides the question */
export function UnknownEvents({ path, question, events = [] }: UnknownEventsProps & { events?: readonly string[] }) {
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { people, goal, segment } = question;
  const asked = {
    project,
    ...(people !== null && { people }),
    ...(goal !== null && { goal }),
    ...(segment !== null && { segment }),
    ...(events.length > 0 && { events: events.slice(0, MAX_NAMES_LOOKED_UP).map((event) => ({ event })) }),
  };
  const { data = [] } = useKnown({
    ...trpc.insights.unknownEvents.queryOptions(asked),
    enabled: Object.keys(asked).length > 1,
    retry: false,
  });
  if (data.length === 0) return null;
  return (
    <div role="status" className={css['leftOut']}>
      {data.map((each) => (
        <Unknown key={`${each.event} ${each.goal?.id}`} path={path} question={question} unknown={each} />
      ))}
    </div>
  );
}

function Unknown({ path, question, unknown }: UnknownEventsProps & { unknown: UnknownEvent }) {
  const text = usePart(unknownEventWords);
  const { event, goal, suggestions } = unknown;
  return (
    <p>
      <Icon name="info" small /> {goal === null ? text.named(event) : text.ofGoal(goal.name, event)}
      <DidYouMean names={suggestions}>
        {(name) => {
          const renamed = goal === null ? withEventRenamed(question, event, name) : null;
          // Goals and segments are changed on their own screens.
          if (renamed === null) return <span className="mono">{name}</span>;
          return (
            <Link href={addressOf(path, renamed)} className="link mono" ahead={false} aria-label={text.use(name)}>
              {name}
            </Link>
          );
        }}
      </DidYouMean>
    </p>
  );
}
