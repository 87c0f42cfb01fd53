/** In which order: what is long though its file is small begins early, so that nobody waits for it alone at the end. */
const Sequencer = require('@jest/test-sequencer').default;

const long = [
  'store/embedded/embedded.int',
  'faults/short.int',
  'web/security.int',
  'launch.int',
  'store/backup.int',
  'jobs/jobs.int',
  'collect/spool.test',
  'columns/sealing.int',
  'explorer/pages.int',
  'events/live.int',
  'looks.browser',
  'other-services.browser',
  'filters.browser',
  'sign-in.browser',
  'captured-markup.browser',
  'teams.browser',
  'goals.browser',
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
