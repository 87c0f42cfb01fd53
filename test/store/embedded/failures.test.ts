import { explainFailure } from '#src/store/embedded/failures.ts';

describe('explainFailure', () => {
  it.each([
    ['initdb: error: could not write file "x": No space left on device', 'The disk of /data is full: free some space'],
    ['initdb: error: could not look up effective user ID 4711: user does not exist', 'user id 4711 has none'],
    ['postgres: error while loading shared libraries: libicuuc.so.60: cannot open', 'libicuuc.so.60 is missing'],
    ['FATAL:  database files are incompatible with server', 'of another PostgreSQL version'],
    ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'no memory from this machine'],
    ['initdb: error: could not access directory "/data": Permission denied', 'may not use /data'],
    ['FATAL:  the moon is in the wrong phase', '(the moon is in the wrong phase)'],
    ['', 'see /data/postgres.log'],
  ])('%s', (output, words) => {
    const { message, code } = explainFailure(output, '/data');
    expect(message).toContain(words);
    expect(message).toMatch(/^[A-Z][^.]*(\.[^ ][^.]*)*\.$/); // one sentence
    expect(code).toBe('unavailable');
  });
});
