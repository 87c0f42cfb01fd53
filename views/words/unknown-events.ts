/** Words about event names that have never been received. */
import type { Part } from './part.ts';

const en = {
  /** Under the field of the name. */
  unknown: 'No event with this name has been received.',
  named: (event: string): string => `No event named “${event}” has been received.`,
  ofGoal: (goal: string, event: string): string => `Goal “${goal}”: no event named “${event}” has been received.`,
  didYouMean: 'Did you mean',
  or: 'or',
  use: (event: string): string => `Use “${event}”`,
};

const ptBR: typeof en = {
  unknown: 'Nenhum evento com este nome foi recebido.',
  named: (event) => `Nenhum evento chamado “${event}” foi recebido.`,
  ofGoal: (goal, event) => `Meta “${goal}”: nenhum evento chamado “${event}” foi recebido.`,
  didYouMean: 'Você quis dizer',
  or: 'ou',
  use: (event) => `Usar “${event}”`,
};

export const unknownEventWords: Part<typeof en> = { en, 'pt-BR': ptBR };
