/**
 * Where a test file runs: in the realm of its process, so that an error of Node is an `Error` and globals are as quick as in the
 * program. What a file leaves behind in it, its own settings and listeners among them, is taken away afterwards.
 */
const { ModuleMocker } = require('jest-mock');

/** Jest's own, made anew for each file: its state, and who listens to it. */
const jestSymbols =
  /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_\w+|WAIT_BEFORE_RETRY|TEST_TIMEOUT_SYMBOL|LOG_ERRORS_BEFORE_RETRY)$/;
const matchers = Symbol.for('$$jest-matchers-object');
const ends = ['uncaughtException', 'unhandledRejection', 'exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];

module.exports = class Environment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.listeners = ends.map((event) => [event, process.listeners(event)]);
    Error.stackTraceLimit = 100;
    if (globalThis[matchers]) forget(globalThis[matchers]);
  }

  async setup() {}

  async teardown() {
    for (const key of Reflect.ownKeys(globalThis)) {
      const before = this.globals[key];
      if (before === undefined) {
        if (typeof key === 'string' || jestSymbols.test(key.description)) delete globalThis[key];
      } else if ('value' in before && before.configurable && globalThis[key] !== before.value) {
        Object.defineProperty(globalThis, key, before);
      }
    }
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
    for (const [event, before] of this.listeners) {
      for (const listener of process.listeners(event)) {
        if (!before.includes(listener)) process.removeListener(event, listener);
      }
    }
    this.globals = this.variables = this.listeners = null;
  }

  getVmContext() {
    return globalThis;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
};

/** Cannot be taken away: what it says of the last file is. */
function forget(known) {
  for (const name of Object.keys(known.state)) delete known.state[name];
  Object.assign(known.state, {
    assertionCalls: 0,
    expectedAssertionsNumber: null,
    isExpectingAssertions: false,
    numPassingAsserts: 0,
    suppressedErrors: [],
  });
  known.customEqualityTesters.length = 0;
  known.matchers = Object.create(null);
}
