/**
 * Says plainly, where forms are sent by JavaScript only, that nothing can be changed without it. The server draws it; who has JavaScript
 * never sees it, so its code is no part of the first load.
 */
import { Late } from './Late.tsx';
import { ScriptNotice } from './ScriptNotice.tsx';

export function NeedsScript() {
  return (
    <Late>
      <ScriptNotice />
    </Late>
  );
}
