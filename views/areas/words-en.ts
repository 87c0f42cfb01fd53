/** The words of every page in one language. */
export { en } from '../words/en.ts';
