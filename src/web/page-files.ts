/** The build's files that a page needs, and when. */
import { parse } from 'node:path';
import { type Assets, entrySource } from './assets.ts';

/** A script to load early; `integrity` pins its content. */
export interface PageScript {
  src: string;
  integrity?: string;
}

export interface PageFiles {
  entry: PageScript;
  styles: string[];
  routeStyles: Record<string, string[]>;
  /** Style sheets of lazy parts, by their source file. */
  partStyles: Record<string, string>;
  /** Scripts that the entry imports on this page, to preload them in parallel. */
  preload(route: { file: string } | null, language: string): PageScript[];
  /** Scripts that a screen imports as soon as it begins, without those of the page. */
  preloadPart(route: { part?: string }): PageScript[];
}

/** Catalogues of words, by language: the browser loads one of them. */
const catalogues: Record<string, string> = { en: 'views/areas/words-en.ts', 'pt-BR': 'views/areas/words-pt-br.ts' };

const known = new WeakMap<Assets, PageFiles>();

/** Worked out once per build. */
export function pageFiles(assets: Assets, routes: readonly { name: string; file: string }[]): PageFiles {
  const files = known.get(assets) ?? findFiles(assets, routes);
  known.set(assets, files);
  return files;
}

function findFiles(assets: Assets, routes: readonly { name: string; file: string }[]): PageFiles {
  const pinned = (src: string): PageScript => {
    const integrity = assets.integrityOf(src);
    return integrity === undefined ? { src } : { src, integrity };
  };
  const [entry = '', ...imports] = assets.entry.scripts;
  return {
    entry: pinned(entry),
    styles: assets.entry.styles,
    routeStyles: Object.fromEntries(
      routes
        .map(({ name, file }) => [name, assets.chunkOf(file).styles] as const)
        .filter(([, styles]) => styles.length > 0),
    ),
    partStyles: Object.fromEntries(
      [...assets.sheets]
        .filter(([source]) => source !== entrySource)
        .map(([source, href]) => [parse(source).name, href]),
    ),
    preload(route, language) {
      const wanted = [route?.file ?? '', catalogues[language] ?? ''].flatMap(
        (source) => assets.chunkOf(source).scripts,
      );
      return [...new Set([...imports, ...wanted])].filter((src) => src !== entry).map(pinned);
    },
    // The first is its own: what it builds on is the page's.
    preloadPart: ({ part }) => (part === undefined ? [] : assets.chunkOf(part).scripts.slice(0, 1).map(pinned)),
  };
}
