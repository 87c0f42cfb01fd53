/** Files of the Overview by the address of its screen: which kind of insight each is, and what is asked. Pure. */

import type { BreakdownDimension } from '#src/insights/contract.ts';
import { invalid, notFound } from '#src/kit/errors.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { tableWords } from '#views/words/tables.ts';
import { valueText } from '#views/words/value-text.ts';
import { isLeftOut } from './filters/left-out.ts';
import { detailsInput, goalsInput, heatmapInput, overviewInput, vitalsInput } from './inputs.ts';
import { type Question, readQuestion } from './question.ts';

interface FileQuery {
  kind: string;
  input: object;
  options: object;
}

type ReadFile = (question: Question) => FileQuery;

const files: Readonly<Record<string, ReadFile>> = {
  table: (question) => {
    const { details } = question;
    if (details === null || details === 'vitals') {
      throw invalid('details', 'Say which table: details=page, for instance.');
    }
    return { kind: 'breakdown', input: detailsInput('', question, details), options: orderOf(question) };
  },
  figures: (question) => ({
    kind: 'overview',
    input: overviewInput('', question),
    options: { metric: question.metric },
  }),
  goals: (question) => ({ kind: 'goals', input: goalsInput('', question), options: {} }),
  hours: (question) => ({ kind: 'heatmap', input: heatmapInput('', question), options: {} }),
  vitals: (question) => ({
    kind: 'vitals',
    input: vitalsInput('', question),
    options: question.details === 'vitals' ? orderOf(question) : {},
  }),
};

function orderOf({ sort, reversed, find }: Question) {
  return { sort, reversed, find: find.slice(0, 200) };
}

/** @throws AppError `not_found` for a file that the Overview does not have, `invalid` for an address that cannot be read */
export function readOverviewFile(name: string, search: URLSearchParams): FileQuery {
  const read = Object.hasOwn(files, name) ? files[name] : undefined;
  if (read === undefined) throw notFound('file');
  const question = readQuestion(search);
  // A screen shows that a part of its URL was skipped; a file cannot.
  if (isLeftOut(question)) throw invalid('filters', 'Invalid filters.');
  const { input, ...file } = read(question);
  const { project: _, ...own } = input as { project: string };
  return { ...file, input: own };
}

/** Values of tables as a reader sees them: by that they are searched and sorted. */
export function textInTables(language: 'en' | 'pt-BR'): (dimension: string, value: string) => string {
  const words = language === 'en' ? en : ptBR;
  const reading = { own: tableWords[language], format: formatOf(words), locale: words.writing.locale };
  return (dimension, value) => valueText(dimension as BreakdownDimension, value, reading);
}
