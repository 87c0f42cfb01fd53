/** Gives the words, the language and its formatters to every component below. */
import { createContext, type ReactNode, useContext } from 'react';
import type { Language, Words } from './en.ts';
import { type Format, formatOf } from './format.ts';
import type { Part } from './part.ts';

export interface WordsContext {
  words: Words;
  language: Language;
  format: Format;
}

const Context = createContext<WordsContext | null>(null);

const contexts = new WeakMap<Words, WordsContext>();

/** Put once around everything, with the catalogue of the request's language. */
export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  return <Context value={contextOf(words)}>{children}</Context>;
}

/** The words of the reader's language, and how to write numbers and dates in it. */
export function useWords(): WordsContext {
  const context = useContext(Context);
  if (!context) throw new Error('outside the shell');
  return context;
}

/** A part's words in the reader's language. */
export function usePart<Shape>(part: Part<Shape>): Shape {
  return part[useWords().language];
}

function contextOf(words: Words): WordsContext {
  const known = contexts.get(words);
  if (known) return known;
  const made = { words, language: words.language, format: formatOf(words) };
  contexts.set(words, made);
  return made;
}
