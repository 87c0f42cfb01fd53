/** What is offered in the fields of a goal: events by name, texts and links that were clicked. Lists of the browser's own. */
import { useQuery } from '@tanstack/react-query';
import { useTrpc } from '#views/trpc.ts';

/** For `list` of the fields; there is one form on the screen. */
export const knownLists = { event: 'goal-events', text: 'goal-texts', href: 'goal-links' } as const;

export function KnownForGoals({ reference }: { reference: string }) {
  const trpc = useTrpc();
  const { data } = useQuery(trpc.insights.goals.known.queryOptions({ project: reference }));
  if (data === undefined) return null;
  return (
    <>
      <Offered id={knownLists.event} values={data.events} />
      <Offered id={knownLists.text} values={data.texts} />
      <Offered id={knownLists.href} values={data.hrefs} />
    </>
  );
}

function Offered({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
