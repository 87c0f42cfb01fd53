/**
 * Exports of a screen file. `views/screen-list.ts` maps URLs to screens; the server runs `queries` before the first
 * byte and streams late results; the browser runs the same `queries` to prefetch on hover and focus.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Words } from './words/en.ts';

/** Values of `:name` parts of the path. */
export type PathParams = Record<string, string>;

export interface ScreenProps {
  params: PathParams;
  /** The query string, which holds all view state. */
  search: URLSearchParams;
}

/** One query of a screen: options made by `trpc.<room>.<procedure>.queryOptions(input)`. */
export interface ScreenQuery {
  // The options of different procedures have no common type; only the key and the function are used here.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  options: any;
  /** The first paint waits for critical queries (up to 100 ms); the others stream. */
  critical: boolean;
}

export interface ScreenModule {
  Screen: ComponentType<ScreenProps>;
  queries(trpc: import('./trpc.ts').Trpc, props: ScreenProps): ScreenQuery[];
  /**
   * Queries that follow from the answers to `queries`, which `answers` holds. The server asks them before it draws, so that
   * they are in the page as well.
   */
  followUps?(trpc: import('./trpc.ts').Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[];
  /** Document title, without the product's name. */
  title(words: Words, props: ScreenProps): string;
}
