/**
 * Words of parts of the program that are loaded when they are needed: each part brings both languages along, so that the first
 * page carries the words of the first page. Read with `usePart` of words.tsx.
 */
import type { Language } from './en.ts';

/** A part's words in every language: one that lacks a key does not compile. */
export type Part<Shape> = Record<Language, Shape>;
