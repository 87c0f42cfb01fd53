/**
 * Three projects: `unit` needs nothing; `int` and `browser` need PostgreSQL, which test/kit/global-setup.ts starts or finds.
 * `npm run jest -- --selectProjects unit --testPathPatterns test/config.test.ts` runs one file.
 */
const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/kit/environment.cjs',
  runtime: '<rootDir>/test/kit/runtime.cjs',
  transform: { '\\.(ts|tsx|css)$': '<rootDir>/test/kit/transform.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.luneta/'],
};
const database = {
  globalSetup: '<rootDir>/test/kit/global-setup.ts',
  globalTeardown: '<rootDir>/test/kit/global-teardown.ts',
};

// The tests of the reference model of what ClickHouse answers run on both engines.
const ofClickhouse = [
  '<rootDir>/test/**/*.clickhouse.test.ts',
  ...['', 'goals/', 'follow/'].map((folder) => `<rootDir>/test/insights/${folder}model.int.test.ts`),
  ...['follow/groups', 'values', 'reading'].map((name) => `<rootDir>/test/insights/${name}.int.test.ts`),
];

/** @type {import('jest').Config} */
module.exports = {
  // Each query copies first there, and runs in a library on the same machine.
  testTimeout: process.env.TEST_CLICKHOUSE === '1' ? 1_200_000 : 180_000,
  testSequencer: '<rootDir>/test/kit/sequencer.cjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts?(x)'],
      testPathIgnorePatterns: ['\\.(int|browser|faults|clickhouse)\\.test\\.', '/node_modules/'],
    },
    { ...shared, ...database, displayName: 'int', testMatch: ['<rootDir>/test/**/*.int.test.ts?(x)'] },
    { ...shared, ...database, displayName: 'browser', testMatch: ['<rootDir>/test/**/*.browser.test.ts?(x)'] },
    // Needs ClickHouse as a library, which `npm run test:clickhouse` installs. Not part of `npm test`.
    { ...shared, ...database, displayName: 'clickhouse', testMatch: ofClickhouse },
  ],
};
