/** The table of saved insights. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mayCall, type Role } from '#src/accounts/values.ts';
import type { InsightListItem } from '#src/insights/saved/contract.ts';
import { SAMPLE_ACCOUNT } from '#src/insights/saved/values.ts';
import { savedInsightOf } from '#views/frame/addresses.ts';
import { InsightActions } from '#views/insights/InsightActions.tsx';
import { Thumbnail } from '#views/insights/Thumbnail.tsx';
import { Avatar } from '#views/kit/Avatar.tsx';
import { FavoriteButton } from '#views/kit/FavoriteButton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { Tags } from '#views/kit/Tags.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { ago } from '#views/words/relative.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './InsightList.module.css';

interface TableProps {
  project: string;
  items: readonly InsightListItem[];
  timeZone: string;
  role: Role;
}

export function InsightTable({ project, items, timeZone, role }: TableProps) {
  const { columns, title } = usePart(savedInsightWords);
  const isEditor = mayCall('insights.saved.create', role);
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{columns.favorite}</span>
          </th>
          <th scope="col">
            <span className="visually-hidden">{columns.preview}</span>
          </th>
          <th scope="col">{columns.insight}</th>
          <th scope="col" className="wide-only">
            {columns.tags}
          </th>
          <th scope="col" className="wide-only">
            {columns.owner}
          </th>
          <th scope="col" className="num wide-only">
            {columns.viewed}
          </th>
          {isEditor && (
            <th scope="col">
              <span className="visually-hidden">{columns.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.id} project={project} item={item} timeZone={timeZone} role={role} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ project, item, timeZone, role }: Omit<TableProps, 'items'> & { item: InsightListItem }) {
  const own = usePart(savedInsightWords);
  const { words } = useWords();
  const now = useServerTime();
  const href = savedInsightOf(project, item.id);
  const owner = item.owner.name ?? (item.owner.id === SAMPLE_ACCOUNT ? own.sampleData : own.formerMember);
  const viewed = item.viewedAt === null ? null : ago(item.viewedAt, now, timeZone, words);
  return (
    <tr>
      <td className={css['star']}>
        <Favorite project={project} item={item} />
      </td>
      <td className={css['preview']}>
        <Link href={href} tabIndex={-1} aria-hidden="true">
          <Preview project={project} item={item} />
        </Link>
      </td>
      <th scope="row" className={css['name']}>
        <Link href={href}>{item.name}</Link>
        <span className={css['note']}>
          {own.kinds[item.kind]}
          <span className={css['narrow']}>{[owner, viewed].filter(Boolean).map((text) => `, ${text}`)}</span>
          {item.description !== '' && <span className={css['description']}> · {item.description}</span>}
        </span>
      </th>
      <td className="wide-only">
        <Tags tags={item.tags} />
      </td>
      <td className="wide-only">
        <span className={css['owner']}>
          <Avatar name={item.owner.name} />
          <span className="clip">{owner}</span>
        </span>
      </td>
      <td className="num wide-only dim">{viewed ?? own.notViewed}</td>
      {mayCall('insights.saved.create', role) && (
        <td className={css['actions']}>
          <Late>
            <InsightActions project={project} insight={item} role={role} timeZone={timeZone} />
          </Late>
        </td>
      )}
    </tr>
  );
}

/** The kept preview; without one it is drawn from a result of now, which the server then keeps. */
function Preview({ project, item }: { project: string; item: InsightListItem }) {
  const trpc = useTrpc();
  const { data } = useKnown({
    ...trpc.insights.saved.preview.queryOptions({ project, insight: item.id }),
    enabled: item.preview === null && item.archivedAt === null,
    retry: false,
  });
  return <Thumbnail preview={item.preview ?? data ?? null} />;
}

/** Of the reader alone. */
function Favorite({ project, item }: { project: string; item: InsightListItem }) {
  const own = usePart(savedInsightWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const mark = useMutation(trpc.insights.saved.favorite.mutationOptions());
  const onError = useFailureToast();
  const favorite = mark.isPending ? mark.variables.favorite : item.favorite;
  return (
    <FavoriteButton
      label={own.favorite(item.name)}
      favorite={favorite}
      onToggle={() =>
        mark.mutate(
          { project, insight: item.id, favorite: !favorite },
          { onSuccess: () => client.invalidateQueries({ queryKey: trpc.insights.saved.pathKey() }), onError },
        )
      }
    />
  );
}
