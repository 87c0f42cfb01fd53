/** Mails about issues of errors. Server only. */
import type { IssueSignal } from '#src/errors/values.ts';
import type { MailData } from '#src/mail/contract.ts';
import { en as english } from './en.ts';
import { formatOf } from './format.ts';
import type { Letter } from './letter.ts';
import type { Part } from './part.ts';
import { ptBR as portuguese } from './pt-br.ts';

const en = {
  one: { new: 'New error', regressed: 'Regressed error', spike: 'Spike of an error' } as Record<IssueSignal, string>,
  many: (count: string) => `${count} errors`,
  more: (count: string) => `And ${count} more.`,
  open: 'Open issue',
  openAll: 'Open errors',
  note: 'Each issue is mailed once an hour at most. Resolve or ignore it in Luneta.',
  reason: (project: string) => `You received this email because you are notified of this alert of ${project}.`,
  number: (count: number) => formatOf(english).number(count),
};

const ptBR: typeof en = {
  one: { new: 'Erro novo', regressed: 'Erro reincidente', spike: 'Pico de um erro' },
  many: (count) => `${count} erros`,
  more: (count) => `E mais ${count}.`,
  open: 'Abrir problema',
  openAll: 'Abrir erros',
  note: 'Cada problema gera no máximo um e-mail por hora. Resolva ou ignore o problema na Luneta.',
  reason: (project) => `Você recebeu este e-mail porque recebe os avisos deste alerta de ${project}:`,
  number: (count) => formatOf(portuguese).number(count),
};

export const issueLetters: Part<typeof en> = { en, 'pt-BR': ptBR };

export function issueLetter(
  { alert, project, link, issues = [], allIssues = issues.length }: MailData['alert'],
  own: typeof en,
): Letter {
  const [first] = issues;
  const isOne = allIssues === 1 && first !== undefined;
  const title = isOne ? `${own.one[first.signal]}: ${first.title}` : own.many(own.number(allIssues));
  const lines = issues.map(({ signal, title: name, culprit }) =>
    [`${own.one[signal]}: ${name}`, culprit]
      .filter((part) => part !== '')
      .join(' (')
      .concat(culprit === '' ? '' : ')'),
  );
  const hidden = allIssues - issues.length;
  return {
    subject: `${title} · ${project}`,
    preview: alert,
    title,
    paragraphs: isOne
      ? [first.culprit || alert]
      : [...new Set(lines), ...(hidden > 0 ? [own.more(own.number(hidden))] : [])],
    action: { label: isOne ? own.open : own.openAll, link },
    notes: [own.note],
    reason: own.reason(project),
  };
}
