/**
 * Install: every way to send events, filled in for this project and host, and a look-out that turns green on the first one and otherwise names
 * the likely mistake. A step of setting up, and one of the settings later.
 */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { Install as InstallState } from '#src/collect/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import type { FirstDashboardProps } from '#views/dashboards/FirstDashboard.tsx';
import { installOf, overviewOf } from '#views/frame/addresses.ts';
import { frameQueries, isProject, useRoleIn } from '#views/frame/queries.ts';
import { SettingsPage } from '#views/frame/SettingsPage.tsx';
import { allSnippets, proxySnippet, type SnippetGroup, snippetGroups } from '#views/install/all-snippets.ts';
import { InstallHelp } from '#views/install/InstallHelp.tsx';
import { Listening } from '#views/install/Listening.tsx';
import { ProxyNotice } from '#views/install/ProxyNotice.tsx';
import { WithCode } from '#views/install/WithCode.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon, Lens } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { installWords } from '#views/words/install.ts';
import { installScreenWords } from '#views/words/install-screen.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Install.module.css';
import { InstallFindings } from './InstallFindings.tsx';
import { PathCheck } from './PathCheck.tsx';

const FirstDashboard = lazyPart<FirstDashboardProps>(
  'dashboard-edit',
  async () => (await import('#views/areas/dashboard-edit.ts')).FirstDashboard,
);

/** How often the server is asked whether something has come. */
const LOOK_MS = 2_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.collect.install.queryOptions({ project }), critical: true },
    { options: trpc.dashboards.list.queryOptions({ project }), critical: true },
    { options: trpc.proxies.problem.queryOptions(), critical: true },
  ];
}

export function title(words: Words): string {
  return installScreenWords[words.language].title;
}

export function Screen({ params, search }: ScreenProps) {
  const { words } = useWords();
  const reference = params['project'] ?? '';
  return (
    <SettingsPage tab="install">
      <Late fallback={<p className="dim">{words.regions.loading}</p>}>
        <Content reference={reference} search={search} />
      </Late>
    </SettingsPage>
  );
}

function Content({ reference, search }: { reference: string; search: URLSearchParams }) {
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: install } = useSuspenseQuery({
    ...trpc.collect.install.queryOptions({ project: reference }),
    refetchInterval: (query) => (query.state.data?.outside ? false : LOOK_MS),
  });
  const project = projects.find((each) => isProject(each, reference));
  if (project === undefined) return null;
  const demo = project.demo ? undefined : projects.find((each) => each.demo);
  const asked = search.get('way');
  const way = snippetGroups.find((each) => each === asked) ?? 'script';
  return (
    <div className={css['columns']}>
      <Steps project={project} received={install.outside !== null} />
      <div className="ph-no-capture">
        <Snippets install={install} reference={reference} way={way} />
        <section className={css['wait']}>
          {install.outside === null ? (
            <Listening install={install} reference={reference} timeZone={project.timeZone} />
          ) : (
            <Received first={install.outside} project={project} />
          )}
          {install.outside === null && demo !== undefined && <Demo project={demo} />}
          <ProxyNotice />
          <InstallFindings install={install} timeZone={project.timeZone} />
          {install.outside === null && <InstallHelp />}
        </section>
        <More install={install} />
      </div>
    </div>
  );
}

function Steps({ project, received }: { project: ProjectSummary; received: boolean }) {
  const part = usePart(installScreenWords);
  const steps = [
    { title: part.stepProject, text: `${project.name}, ${project.timeZone}`, done: true },
    { title: part.stepSnippet, text: part.stepSnippetText, done: received },
    { title: part.stepEvent, text: part.stepEventText, done: received },
  ];
  const current = steps.findIndex(({ done }) => !done);
  return (
    <ol className={css['steps']} aria-label={part.steps}>
      {steps.map(({ title: name, text, done }, index) => (
        <li key={name} aria-current={index === current ? 'step' : undefined}>
          <span className={classNames(css['number'], done && css['done'], index === current && css['current'])}>
            {done ? <Icon name="check" small /> : index + 1}
          </span>
          <span>
            <b className="strong">{name}</b>
            <span className="visually-hidden"> {done ? part.done : index === current ? part.current : ''}</span>
            <span className={`${css['about']} ph-no-capture`}>{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Snippets({ install, reference, way }: { install: InstallState; reference: string; way: SnippetGroup }) {
  const text = usePart(installWords);
  const part = usePart(installScreenWords);
  return (
    <>
      <h2 className={css['title']}>{text.title}</h2>
      <p className={css['lead']}>{text.lead}</p>
      <div className={css['ways']}>
        <LinkTabs
          label={text.waysLabel}
          tabs={snippetGroups.map((each) => ({
            key: each,
            label: part.ways[each],
            href: `${installOf(reference)}?way=${each}`,
            current: each === way,
          }))}
        />
      </div>
      <CodeBlock title={<Title way={way} />} code={allSnippets(install)[way]} />
      <p className={css['note']}>
        <Note way={way} />
      </p>
    </>
  );
}

function Title({ way }: { way: SnippetGroup }) {
  const text = usePart(installWords);
  const part = usePart(installScreenWords);
  switch (way) {
    case 'script':
      return <WithCode prose={text.paste} />;
    case 'npm':
    case 'node':
    case 'component':
      return text.file[way];
    default:
      return part.titles[way];
  }
}

function Note({ way }: { way: SnippetGroup }) {
  const text = usePart(installWords);
  const part = usePart(installScreenWords);
  switch (way) {
    case 'script':
    case 'npm':
      return <WithCode prose={text.sameHost} />;
    case 'node':
      return <WithCode prose={text.nodeFlush} />;
    case 'component':
      return text.componentNote;
    default:
      return <WithCode prose={part.notes[way]} />;
  }
}

function Received({ first, project }: { first: { at: number; event: string }; project: ProjectSummary }) {
  const { format } = useWords();
  const part = usePart(installScreenWords);
  return (
    <div className={css['received']} role="status">
      <Lens large filled />
      <p>
        <b className={css['receivedTitle']}>{part.received}</b>
        <span className="dim">
          {first.event !== '' && <code className="mono">{first.event}</code>}{' '}
          {part.receivedText(format.clock(first.at, project.timeZone))}
        </span>
      </p>
      <ButtonLink kind="primary" href={overviewOf(project.id)}>
        {part.openOverview}
      </ButtonLink>
      <Late>
        <First project={String(project.id)} />
      </Late>
    </div>
  );
}

/** Of a project without dashboards. */
function First({ project }: { project: string }) {
  const { data: dashboards } = useSuspenseQuery(useTrpc().dashboards.list.queryOptions({ project }));
  const { role } = useRoleIn(project);
  if (dashboards.length > 0 || !mayCall('dashboards.create', role)) return null;
  return <FirstDashboard project={project} />;
}

/** While nothing has come, there is a project with data to look at. */
function Demo({ project }: { project: ProjectSummary }) {
  const part = usePart(installScreenWords);
  return (
    <div className={css['demo']}>
      <p className="ph-no-capture">
        <b className="strong">{part.demoTitle}</b> <span className="dim">{part.demoText(project.name)}</span>
      </p>
      <ButtonLink href={overviewOf(project.id)}>{part.openDemo}</ButtonLink>
    </div>
  );
}

function More({ install: { host, alias } }: { install: InstallState }) {
  const part = usePart(installScreenWords);
  const [before, , after] = part.aliasText;
  const aliasHost = host.replace(/\/ingest$/, `/${alias}`);
  return (
    <>
      <section className={css['more']}>
        <h2>{part.proxyTitle}</h2>
        <p>{part.proxyText}</p>
        <CodeBlock title="nginx, Next.js" code={proxySnippet(host)} />
      </section>
      <section className={css['more']}>
        <h2>{part.aliasTitle}</h2>
        <p>
          <WithCode prose={[before, aliasHost, after]} />
        </p>
      </section>
      <PathCheck paths={['/ingest', `/${alias}`]} />
    </>
  );
}
