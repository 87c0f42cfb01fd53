/** Public links of a team: what can be seen without an account, with whom it can be embedded, and how often it was. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { TeamShareLink } from '#src/sharing/contract.ts';
import { dashboardOf, savedInsightOf } from '#views/frame/addresses.ts';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { TeamPage } from '#views/frame/TeamPage.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { publicLinkWords } from '#views/words/public-links.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './PublicLinks.module.css';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: trpc.sharing.list.queryOptions({ team: Number(props.params['team']) }), critical: true },
  ];
}

export function title(words: Words): string {
  return publicLinkWords[words.language].title;
}

export function Screen({ params }: ScreenProps) {
  const team = Number(params['team']);
  return (
    <TeamPage team={team} tab="links">
      <Late fallback={<BarTableSkeleton rows={6} />}>
        <List team={team} />
      </Late>
    </TeamPage>
  );
}

function List({ team }: { team: number }) {
  const own = usePart(publicLinkWords);
  const { data: links } = useSuspenseQuery(useTrpc().sharing.list.queryOptions({ team }));
  if (links.length === 0) {
    return (
      <State icon="lock" title={own.none}>
        {own.noneText}
      </State>
    );
  }
  return (
    <table className={`${css['table']} ph-no-capture`}>
      <caption className="visually-hidden">{own.title}</caption>
      <thead>
        <tr>
          <th scope="col">{own.columns.name}</th>
          <th scope="col" className="wide-only">
            {own.columns.project}
          </th>
          <th scope="col" className="wide-only">
            {own.columns.createdBy}
          </th>
          <th scope="col">{own.columns.expires}</th>
          <th scope="col" className="num">
            {own.columns.views}
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Row key={`${link.of.kind} ${link.of.id}`} link={link} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ link }: { link: TeamShareLink }) {
  const own = usePart(publicLinkWords);
  const { format } = useWords();
  const now = useServerTime();
  const project = String(link.project.id);
  const { timeZone } = useRoleIn(project);
  const href = link.of.kind === 'dashboard' ? dashboardOf(project, link.of.id) : savedInsightOf(project, link.of.id);
  const notes = [
    own.kinds[link.of.kind],
    ...(link.hasPassword ? [own.protected] : []),
    ...(link.origins.length > 0 ? [own.embedded(link.origins.length, format.number(link.origins.length))] : []),
  ];
  return (
    <tr>
      <th scope="row">
        <Link href={href} className={css['name']}>
          {link.name}
        </Link>
        <span className={css['note']}>{notes.join(' · ')}</span>
      </th>
      <td className="wide-only">{link.project.name}</td>
      <td className="wide-only">{link.createdBy ?? own.formerMember}</td>
      <td>
        {link.expiresAt === null
          ? own.never
          : link.expiresAt <= now
            ? own.expired
            : format.day(dateIn(link.expiresAt - 1, timeZone))}
      </td>
      <td className="num">{format.number(link.views)}</td>
    </tr>
  );
}
