/** Saved insights that use an event. */

import { savedInsightOf } from '#views/frame/addresses.ts';
import { Link } from '#views/kit/Link.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './DefinitionForm.module.css';

const SHOWN = 20;

export function UsedIn({ project, event }: { project: string; event: string }) {
  const text = usePart(eventListWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { data } = useKnown(trpc.insights.saved.list.queryOptions({ project, event, limit: SHOWN }));
  if (data === undefined) return null;
  if (data.total === 0) return <p className={css['note']}>{text.notUsed}</p>;
  const more = data.total - data.items.length;
  return (
    <section aria-label={text.usedIn} className={css['used']}>
      <h3>{text.usedIn}</h3>
      <ul>
        {data.items.map(({ id, name }) => (
          <li key={id}>
            <Link href={savedInsightOf(project, id)}>{name}</Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={css['note']}>{text.usedInMore(more, format.number(more))}</p>}
    </section>
  );
}
