/** Initials of an identified person; an empty outline for an anonymous one. Beside a name, so readers pass over it. */
import css from './Avatar.module.css';
import { classNames } from './class-names.ts';

export function Avatar({ name }: { name: string | null }) {
  return (
    <span className={classNames(css['avatar'], name === null && css['anonymous'])} aria-hidden="true">
      {name === null ? '' : initials(name)}
    </span>
  );
}

/** "Caio Brandão" → CB; "caio.brandao@example.com" → CB; one word gives one letter. */
export function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter((word) => /\p{L}|\p{N}/u.test(word));
  const first = firstLetter(words[0]);
  const last = words.length > 1 ? firstLetter(words.at(-1)) : '';
  return first + last;
}

function firstLetter(word: string | undefined): string {
  const [letter = ''] = (word ?? '').match(/\p{L}|\p{N}/u) ?? [];
  return letter.toLocaleUpperCase('en');
}
