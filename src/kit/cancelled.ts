/** Work that was given up, because nobody waits for its result any more. */
import { AppError } from './errors.ts';

/** Reaches nobody but those who have gone. */
export class Cancelled extends AppError {
  constructor() {
    super('busy', 'The query was cancelled.', { retryAfterSec: 1 });
    this.name = 'Cancelled';
  }
}
