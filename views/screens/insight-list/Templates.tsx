/** Insights to start from, filled with the project's events. Each leads to the editor, where nothing is saved yet. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ResultSummary } from '#src/insights/query/contract.ts';
import type { InsightTemplate } from '#src/insights/saved/contract.ts';
import { type SavedKind, savedKinds } from '#src/insights/saved/values.ts';
import { installOf, newInsightOf } from '#views/frame/addresses.ts';
import { insightAddress } from '#views/insights/address.ts';
import { definitionAsShown } from '#views/insights/saved-as-shown.ts';
import { Thumbnail } from '#views/insights/Thumbnail.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import { useTrpc } from '#views/trpc.ts';
import { insightWords } from '#views/words/insights.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Templates.module.css';

const SHOWN = 5;

export function Templates({ project }: { project: string }) {
  const { templates: text } = usePart(savedInsightWords);
  const { format } = useWords();
  const { data: templates } = useSuspenseQuery(useTrpc().insights.saved.templates.queryOptions({ project }));
  if (templates.length === 0) return <Examples project={project} />;
  const more = templates.slice(SHOWN);
  return (
    <section aria-label={text.title} className={css['templates']}>
      <div className={css['head']}>
        <h2>{text.title}</h2>
        <span className="dim">{text.filled}</span>
      </div>
      <List project={project} templates={templates.slice(0, SHOWN)} />
      {more.length > 0 && (
        <details className={css['more']}>
          <summary>{text.all(format.number(templates.length))}</summary>
          <List project={project} templates={more} />
        </details>
      )}
    </section>
  );
}

/** What each kind answers, drawn from the sample shop: a project without events has nothing of its own to show. */
function Examples({ project }: { project: string }) {
  const { templates: text } = usePart(savedInsightWords);
  const own = usePart(insightWords);
  return (
    <section aria-label={text.examples} className={css['templates']}>
      <div className={css['head']}>
        <h2>{text.examples}</h2>
        <span className="dim">{text.fromShop}</span>
      </div>
      <ul className={classNames(css['list'], css['examples'])}>
        {savedKinds.map((kind) => (
          <li key={kind} className={css['example']}>
            <Thumbnail preview={examples[kind]} />
            <b>{own.kinds[kind]}</b>
            <span>{text.answers[kind]}</span>
          </li>
        ))}
      </ul>
      <p className={css['install']}>
        {text.none}{' '}
        <Link href={installOf(project)} className="link">
          {text.install}
        </Link>
      </p>
    </section>
  );
}

function List({ project, templates }: { project: string; templates: readonly InsightTemplate[] }) {
  const { templates: text } = usePart(savedInsightWords);
  return (
    <ul className={css['list']}>
      {templates.map(({ id, definition }) => {
        const [name, description] = text.names[id];
        return (
          <li key={id}>
            <Link href={insightAddress(newInsightOf(project), definitionAsShown(definition))}>
              <Thumbnail preview={exampleOf(definition)} />
              <b>{name}</b>
              <span>{description}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function exampleOf({ kind, display }: InsightTemplate['definition']): ResultSummary {
  return display['chart'] === 'number' ? { shape: 'number', number: 87.25 } : examples[kind];
}

/** Example thumbnails of each kind, from the sample shop. */
const examples: Record<SavedKind, ResultSummary> = {
  trends: {
    shape: 'lines',
    lines: [[0.46, 0.52, 0.66, 0.61, 0.55, 0.49, 0.58, 0.68, 0.67, 0.6, 0.46, 0.57, 0.7, 1, 0.81, 0.64, 0.7, 0.71]],
  },
  funnel: { shape: 'bars', bars: [1, 0.43, 0.22, 0.15] },
  retention: {
    shape: 'cells',
    rows: [
      [1, 0.55, 0.44, 0.4, 0.33, 0.3, 0.2],
      [1, 0.52, 0.41, 0.38, 0.3, 0.22],
      [1, 0.6, 0.48, 0.42, 0.24],
      [1, 0.5, 0.4, 0.3],
      [1, 0.45, 0.33],
      [1, 0.38],
      [1],
    ],
  },
  paths: {
    shape: 'flows',
    columns: [[1], [0.5, 0.3, 0.2], [0.3, 0.2]],
    links: [
      [0, 0, 0, 0.5],
      [0, 0, 1, 0.3],
      [0, 0, 2, 0.2],
      [1, 0, 0, 0.3],
      [1, 1, 1, 0.2],
    ],
  },
  lifecycle: {
    shape: 'stacks',
    stacks: [
      [0.5, 0.1, 0.2, -0.5],
      [0.5, 0.1, 0.2, -0.55],
      [0.48, 0.12, 0.2, -0.5],
      [0.55, 0.14, 0.24, -0.48],
      [0.6, 0.15, 0.25, -0.52],
    ],
  },
  stickiness: { shape: 'bars', bars: [1, 0.42, 0.24, 0.15, 0.1, 0.07, 0.05] },
};
