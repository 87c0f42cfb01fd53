/**
 * Says plainly, where forms are sent by JavaScript only, that nothing can be changed without it. The server draws it; who has JavaScript
 * never sees it, so its code is no part of the first load.
 */
import { Late } from './Late.tsx';
import { lazyPart } from './lazy-part.tsx';

const ScriptNotice = lazyPart('ScriptNotice', async () => (await import('./ScriptNotice.tsx')).ScriptNotice);

export function NeedsScript() {
  return (
    <Late>
      <ScriptNotice />
    </Late>
  );
}
