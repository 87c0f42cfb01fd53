/** Who changes a flag, and into what. */
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { FlagDefinition } from './contract.ts';

/** The author of a change. */
export interface Author {
  /** Null: the program itself. */
  id: number | null;
  name: string;
  /** Enters it in the log of the team, in the same transaction. */
  note: NoteChange;
}

export interface RewrittenFlag {
  description: string;
  definition: FlagDefinition;
  note: string | null;
}
