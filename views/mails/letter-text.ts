/** The same mail as plain text, for programs and people who prefer that. Pure. */
import type { Letter } from '#views/words/letter.ts';

const WIDTH = 72;

export function letterText(letter: Letter, to: string): string {
  const { title, paragraphs, action, notes, reason } = letter;
  const blocks = [title, ...paragraphs, `${action.label}:\n${action.link}`, ...notes];
  return `${[...blocks.map(wrap), '-- \nLuneta', wrap(`${reason} ${to}`)].join('\n\n')}\n`;
}

/** Breaks lines between words; a word that is longer, such as a link, stays whole. */
function wrap(block: string): string {
  return block.split('\n').map(wrapLine).join('\n');
}

function wrapLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current].join('\n');
}
