/** In which order: what is long though its file is small begins early, so that nobody waits for it alone at the end. */
const Sequencer = require('@jest/test-sequencer').default;

// Beside processes that are killed under load stand first those that mostly wait.
const long = [
  'store/embedded/embedded.int',
  'faults/short.int',
  'jobs/jobs.int',
  'collect/spool.test',
  'events/live.int',
  'web/security.int',
  'launch.int',
  'store/backup.int',
  'columns/sealing.int',
  'explorer/pages.int',
  'accounts/access.int',
  'columns/questions.int',
  'profiles/people-model.int',
  'columns/tail.int',
  'insights/numbers-agree.int',
  'filters.browser',
  'looks.browser',
  'goals.browser',
  'sign-in.browser',
  'dashboards.browser',
  'insights.browser',
  'other-services.browser',
  'captured-markup.browser',
  'explorer.browser',
  'live-explain.browser',
];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = long.findIndex((name) => path.includes(name));
      return at < 0 ? long.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
