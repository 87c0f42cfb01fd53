/** Which of the build's files a page needs, and from when. */
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
  /** Of parts that are loaded later, by the name of their file. */
  partStyles: Record<string, string>;
  /** What the entry will ask for on this page, so that the browser need not find out step by step. */
  preload(route: { file: string } | null, language: string): PageScript[];
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
  };
}
