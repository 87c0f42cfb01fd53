/** In which order: what is long though its file is small begins early, so that nobody waits for it alone at the end. */
const Sequencer = require('@jest/test-sequencer').default;

const long = ['store/embedded/embedded.int', 'faults/short.int', 'web/security.int', 'store/backup.int', 'launch.int'];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = long.findIndex((name) => path.includes(name));
      return at < 0 ? long.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
