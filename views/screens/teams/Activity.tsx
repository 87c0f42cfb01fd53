/** Audit log of a team. Filters and pages are in the URL, so it works without JavaScript. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { AuditItem } from '#src/accounts/teams/contract.ts';
import { type AuditKind, auditKinds } from '#src/accounts/teams/values.ts';
import { frameQueries } from '#views/frame/queries.ts';
import { TeamPage } from '#views/frame/TeamPage.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { State } from '#views/kit/State.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { activityWords } from '#views/words/activity.ts';
import type { Words } from '#views/words/en.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Activity.module.css';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: trpc.accounts.teams.activity.queryOptions(questionOf(props)), critical: true },
  ];
}

export function title(words: Words): string {
  return teamWords[words.language].activity;
}

/** Filters of the URL. Unknown values are ignored. */
function questionOf({ params, search }: ScreenProps) {
  const kind = auditKinds.find((each) => each === search.get('kind'));
  const person = wholeNumber(search.get('person'));
  const [at, id] = (search.get('before') ?? '').split('.').map(wholeNumber);
  return {
    team: Number(params['team']),
    ...(kind === undefined ? {} : { kind }),
    ...(person === undefined ? {} : { person }),
    ...(at === undefined || id === undefined ? {} : { before: { at, id } }),
  };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function Screen(props: ScreenProps) {
  return (
    <TeamPage team={Number(props.params['team'])} tab="activity">
      <Late fallback={<BarTableSkeleton rows={10} />}>
        <Content {...props} />
      </Late>
    </TeamPage>
  );
}

function Content(props: ScreenProps) {
  const text = usePart(activityWords);
  const trpc = useTrpc();
  const asked = questionOf(props);
  const { data: page } = useSuspenseQuery(trpc.accounts.teams.activity.queryOptions(asked));
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const address = (before: string | null) => {
    const search = new URLSearchParams();
    if (asked.kind !== undefined) search.set('kind', asked.kind);
    if (asked.person !== undefined) search.set('person', String(asked.person));
    if (before !== null) search.set('before', before);
    const query = search.toString();
    return `/team/${asked.team}/activity${query === '' ? '' : `?${query}`}`;
  };
  const isFiltered = asked.kind !== undefined || asked.person !== undefined;
  return (
    <div className="ph-no-capture">
      <Filters key={address(null)} team={asked.team} kind={asked.kind} person={asked.person} people={page.people} />
      {page.items.length === 0 ? (
        <State icon="table" title={isFiltered ? text.noneFound : text.none}>
          {text.noneText}
        </State>
      ) : (
        <Log items={page.items} timeZone={me.timeZone} />
      )}
      <div className={css['pages']}>
        {asked.before !== undefined && <ButtonLink href={address(null)}>{text.newest}</ButtonLink>}
        {page.before !== null && (
          <ButtonLink href={address(`${page.before.at}.${page.before.id}`)}>{text.older}</ButtonLink>
        )}
      </div>
    </div>
  );
}

interface FiltersProps {
  team: number;
  kind: AuditKind | undefined;
  person: number | undefined;
  people: { id: number; name: string }[];
}

function Filters({ team, kind, person, people }: FiltersProps) {
  const text = usePart(activityWords);
  const { navigate } = useNavigate();
  const action = `/team/${team}/activity`;
  return (
    <form
      method="get"
      action={action}
      className={css['filters']}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
        const search = new URLSearchParams(chosen as [string, string][]).toString();
        navigate(search === '' ? action : `${action}?${search}`);
      }}
    >
      <SelectField label={text.kind} name="kind" defaultValue={kind ?? ''}>
        <option value="">{text.all}</option>
        {auditKinds
          .filter((each) => each !== 'signIn' && each !== 'account')
          .map((each) => (
            <option key={each} value={each}>
              {text.kinds[each]}
            </option>
          ))}
      </SelectField>
      <SelectField label={text.person} name="person" defaultValue={person ?? ''}>
        <option value="">{text.everybody}</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{text.show}</Button>
    </form>
  );
}

function Log({ items, timeZone }: { items: AuditItem[]; timeZone: string }) {
  const text = usePart(activityWords);
  const { format } = useWords();
  return (
    <table className={css['log']}>
      <thead>
        <tr>
          <th scope="col">{text.when}</th>
          <th scope="col">{text.who}</th>
          <th scope="col">{text.what}</th>
          <th scope="col">{text.from}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, at, actor, action, details, address }) => (
          <tr key={id}>
            <td className={`${css['faint']} num`}>
              <time dateTime={new Date(at).toISOString()}>{format.dayTime(at, timeZone)}</time>
            </td>
            <th scope="row" title={actor.email ?? undefined}>
              {actor.name}
            </th>
            <td className={css['what']}>{text.done[action](details)}</td>
            <td className={`${css['faint']} mono`}>{address ?? text.itself}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
