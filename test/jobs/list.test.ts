/** Whatever works by itself has a name that people read, in both languages. */
import { type RecurringParts, recurringWork } from '#src/jobs/list.ts';
import { ingestionWords } from '#views/words/ingestion.ts';

describe('recurring work', () => {
  it('has a name to read for each entry, and no name for what is not there', () => {
    const parts = { collect: {}, relay: { mode: 'mirror', mirror: {} } } as RecurringParts;
    const names = recurringWork(parts).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const language of ['en', 'pt-BR'] as const) {
      expect(Object.keys(ingestionWords[language].jobNames).sort()).toEqual([...names].sort());
    }
  });
});
