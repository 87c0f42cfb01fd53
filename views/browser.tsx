/** The browser's entry. */
import './styles/main.css';
// Error pages are drawn by the server alone, with the style sheet of every page.
import './screens/errors/ProblemBody.module.css';
import './areas/shared/base.ts';
import { reloadOnce } from './navigation.tsx';
import { start } from './start.tsx';

start().catch((error: unknown) => {
  // A piece of code that is gone after a release comes back with the page. Twice in a row it is something else.
  if (!reloadOnce(location.href)) reportError(error);
});
