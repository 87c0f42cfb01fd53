/**
 * fast-check with one seed for every generated test, so that a run says the same as the run before: what a check found red
 * can be seen again. `SEED=random npm run jest -- …` draws new inputs, `SEED=7` those of a seed; a failure names its seed and path.
 */
import fc from 'fast-check';

const asked = process.env['SEED'] ?? '20261125';
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) });

export default fc;
