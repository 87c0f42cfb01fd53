/** The same report as plain text. Pure. */
import type { ReportLetter } from './report-letter.ts';
import type { BarRow, Moved, Section } from './sections.ts';

/** Names of rows are at most so wide. */
const WIDE = 44;

export function reportText(letter: ReportLetter): string {
  const { project, period, title, sections, action, reason, manage, unsubscribe } = letter;
  const links = [manage, unsubscribe].flatMap((each) => (each === null ? [] : [`${each.label}: ${each.link}`]));
  const blocks = [
    `${project}\n${period}`,
    title,
    ...sections.map(sectionText).filter((block) => block !== ''),
    `${action.label}:\n${action.link}`,
    '-- \nLuneta',
    reason,
    links.join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function sectionText(section: Section): string {
  switch (section.kind) {
    case 'figures':
      return section.figures.map(({ label, value, moved }) => `${label}: ${value}${movedText(moved)}`).join('\n');
    case 'columns': {
      const named = section.columns.filter(({ value }) => value !== '');
      if (named.length === 0) return section.caption;
      const lines = named.map(({ label, value }) => `${label}: ${value}`);
      return [...lines, ...(section.caption === '' ? [] : [section.caption])].join('\n');
    }
    case 'table':
      return [
        section.title.toLocaleUpperCase(),
        ...section.rows.map(rowText),
        ...(section.note === '' ? [] : [section.note]),
      ].join('\n');
    case 'grid':
      return [section.title.toLocaleUpperCase(), ...section.notes].join('\n');
    case 'heading':
      return `== ${section.text} ==`;
    case 'text':
      return section.lines.join('\n');
    case 'note':
      return section.text;
  }
}

function rowText({ name, value, side, moved }: BarRow): string {
  return `${name.padEnd(WIDE)} ${value.padStart(10)}${side === '' ? '' : `  ${side}`}${movedText(moved)}`.trimEnd();
}

function movedText(moved: Moved | null): string {
  return moved === null ? '' : `  (${moved.text})`;
}
