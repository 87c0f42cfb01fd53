/**
 * Available languages, choice of the reader's language, and loading of its words in the browser. The server, which needs
 * both, imports the catalogs directly. Pure.
 */
import type { Language, Words } from './en.ts';

export const languages: readonly Language[] = ['en', 'pt-BR'];

/** The catalogue of a language, as its own chunk in the browser. */
export async function loadWords(language: Language): Promise<Words> {
  if (language === 'pt-BR') return (await import('#views/areas/words-pt-br.ts')).ptBR;
  return (await import('#views/areas/words-en.ts')).en;
}

/** The language for a cookie value and an Accept-Language header; English when neither names one of ours. */
export function chooseLanguage(cookie: string | undefined, acceptLanguage: string | undefined): Language {
  const chosen = languages.find((language) => language === cookie);
  if (chosen) return chosen;
  for (const { tag } of preferences(acceptLanguage ?? '')) {
    if (tag === 'pt' || tag.startsWith('pt-')) return 'pt-BR';
    if (tag === 'en' || tag.startsWith('en-')) return 'en';
  }
  return 'en';
}

function preferences(header: string): { tag: string; weight: number }[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...rest] = entry.trim().toLowerCase().split(';');
      const quality = rest.map((option) => /^\s*q=([\d.]+)\s*$/.exec(option)?.[1]).find((q) => q !== undefined);
      return { tag: tag.trim(), weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
}
