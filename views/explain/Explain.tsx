/** A link below a number to how it is counted, and to its file; what it opens comes when it is opened. */
import { Boundary } from '#views/boundary.tsx';
import { overviewOf } from '#views/frame/addresses.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { explainInput } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Explain.module.css';
import type { ExplainPanelProps } from './ExplainPanel.tsx';

const ExplainPanel = lazyPart<ExplainPanelProps>(
  'explain',
  async () => (await import('#views/areas/explain.ts')).ExplainPanel,
);

export interface ExplainProps {
  reference: string;
  question: Question;
  /** The URL's value: a metric of the chart, a table, `hours` or `vitals`. */
  of: string;
  /** The screen's; absent: that of the Overview. */
  path?: string;
  /** Label of the number. */
  name: string;
  /** Its file, where there is no room for the link beside it. */
  narrowFile?: 'figures';
}

export function Explain({ reference, question, of, path = overviewOf(reference), name, narrowFile }: ExplainProps) {
  const own = usePart(explainLinkWords);
  const fileName = useTableFileName();
  const asked = explainInput(reference, question);
  const isOpen = asked !== null && (asked.of === 'revenue' ? `revenue.${asked.currency}` : asked.of) === of;
  const file = isFile(of) ? files[of] : narrowFile;
  const href = addressOf(path, { ...question, explain: isOpen ? null : of }, question.page);
  return (
    <>
      <p className={`${css['link']} no-print`}>
        <Link href={href} ahead={false} aria-expanded={isOpen} aria-label={own.linkOf(name)}>
          {own.link}
        </Link>
        {file && question.details === null && (
          <a
            href={addressOf(`${overviewOf(reference)}/${file}.csv`, question)}
            download
            className={narrowFile && css['narrow']}
            aria-label={own.fileOf(fileName, name)}
          >
            {fileName}
          </a>
        )}
      </p>
      {isOpen && (
        <Boundary key={JSON.stringify(asked)} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late>
            <ExplainPanel input={asked} question={question} name={name} closeHref={href} />
          </Late>
        </Boundary>
      )}
    </>
  );
}

/** File names of cards with a download. Full tables have their own link. */
const files = { goal: 'goals', hours: 'hours', vitals: 'vitals' } as const;

function isFile(of: string): of is keyof typeof files {
  return of in files;
}
