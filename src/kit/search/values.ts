/** Texts as people search them. Pure, and without Node: screens read it too. */

/** In lower case and without accents, so that "joao" finds "João". */
export function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
