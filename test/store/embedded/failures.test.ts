import { explainFailure } from '#src/store/embedded/failures.ts';

describe('explainFailure', () => {
  it.each([
    ['initdb: error: could not write file "x": No space left on device', 'Disk full at /data. Free up space'],
    ['initdb: error: could not look up effective user ID 4711: user does not exist', 'User ID 4711 has no user name'],
    ['postgres: error while loading shared libraries: libicuuc.so.60: cannot open', 'libicuuc.so.60 is missing'],
    ['FATAL:  database files are incompatible with server', 'from a different PostgreSQL version'],
    ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'Not enough memory for PostgreSQL'],
    ['initdb: error: could not access directory "/data": Permission denied', 'has no access to /data'],
    ['FATAL:  the moon is in the wrong phase', '(the moon is in the wrong phase)'],
    ['', 'See /data/postgres.log'],
  ])('%s', (output, words) => {
    const { message, code } = explainFailure(output, '/data');
    expect(message).toContain(words);
    expect(message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(message.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(2); // what happened, then what to do
    expect(code).toBe('unavailable');
  });
});
