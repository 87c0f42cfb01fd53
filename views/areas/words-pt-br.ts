/** The words of every page in one language. */
export { ptBR } from '../words/pt-br.ts';
