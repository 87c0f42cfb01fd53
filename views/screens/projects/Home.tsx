/**
 * Home: all projects of all teams, each with the course of its week. The list is the page; each project's figures are questions of their
 * own, the same as its Overview asks, and come when they come.
 */
import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { isAtLeast } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { Plain, plainQueries } from '#views/frame/Plain.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { useBoot } from '#views/settings.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { projectWords } from '#views/words/projects.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Home.module.css';
import { figureQueries, ProjectRow } from './ProjectRow.tsx';

/** So many projects bring their figures along with the page; the browser asks for those of the others once they are seen. */
const WITH_FIGURES = 20;

export function queries(trpc: Trpc, { search }: ScreenProps): ScreenQuery[] {
  return [
    ...plainQueries(trpc),
    { options: trpc.projects.list.queryOptions(), critical: true },
    ...explainQueries(search, explanationOf(trpc, { screen: 'home' })),
  ];
}

export function followUps(trpc: Trpc, _props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const projects = answers.getQueryData(trpc.projects.list.queryKey()) ?? [];
  return projects
    .slice(0, WITH_FIGURES)
    .flatMap((project) => figureQueries(trpc, project).map((options) => ({ options, critical: true })));
}

export function title(words: Words): string {
  return projectWords[words.language].home;
}

export function Screen() {
  const part = usePart(projectWords);
  return (
    <Plain
      title={part.home}
      actions={
        <ButtonLink small href="/team/new">
          {part.newTeam}
        </ButtonLink>
      }
    >
      <Late fallback={<BarTableSkeleton rows={4} />}>
        <Teams />
      </Late>
    </Plain>
  );
}

function Teams() {
  const trpc = useTrpc();
  const part = usePart(projectWords);
  const { collects, settings } = useBoot();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  if (me.teams.length === 0) {
    return (
      <State icon="table" title={part.noTeams}>
        {part.noTeamsText}
      </State>
    );
  }
  const first = new Set(projects.slice(0, WITH_FIGURES));
  return (
    <div className="ph-no-capture">
      {!collects && settings.PUBLIC_POSTHOG_HOST !== undefined && (
        <p className={css['elsewhere']}>{part.elsewhere(new URL(settings.PUBLIC_POSTHOG_HOST).host)}</p>
      )}
      {me.teams.map((team) => (
        <Team
          key={team.id}
          team={team}
          timeZone={me.timeZone}
          projects={projects.filter((project) => project.team.id === team.id)}
          first={first}
        />
      ))}
      {collects && projects.length > 0 && <Explained asked={{ screen: 'home' }} timeZone={me.timeZone} />}
    </div>
  );
}

interface TeamProps {
  team: { id: number; name: string; role: ProjectSummary['role']; deletesAt: number | null };
  /** The reader's own. */
  timeZone: string;
  projects: ProjectSummary[];
  /** Projects whose figures came with the page. */
  first: ReadonlySet<ProjectSummary>;
}

function Team({ team, timeZone, projects, first }: TeamProps) {
  const part = usePart(projectWords);
  const { format } = useWords();
  const manages = isAtLeast(team.role, 'admin');
  const heading = `team-${team.id}`;
  // One's own projects before that of Luneta's screens.
  const ordered = [...projects].sort((one, other) => Number(one.builtIn) - Number(other.builtIn));
  return (
    <section aria-labelledby={heading} className={css['team']}>
      <div className={css['top']}>
        <h2 id={heading} className="clip">
          {team.name}
        </h2>
        <div className={css['teamActions']}>
          <ButtonLink small kind="quiet" href={`/team/${team.id}/members`}>
            {part.members}
          </ButtonLink>
          {manages && (
            <ButtonLink small href={`/team/${team.id}/new-project`}>
              {part.newProject}
            </ButtonLink>
          )}
        </div>
      </div>
      {team.deletesAt !== null && (
        <Callout tone="warn">
          {part.teamDeletes(format.dayTime(team.deletesAt, timeZone))}{' '}
          <Link className="link" href={`/team/${team.id}/settings`}>
            {part.teamSettings}
          </Link>
        </Callout>
      )}
      {ordered.length === 0 ? (
        <State icon="chart" title={part.noProjects}>
          {manages ? part.noProjectsText : part.noProjectsAsk}
        </State>
      ) : (
        <ul>
          {ordered.map((project) => (
            <ProjectRow key={project.id} project={project} isFirst={first.has(project)} />
          ))}
        </ul>
      )}
    </section>
  );
}
