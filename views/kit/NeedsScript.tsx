/**
 * Notice on forms that need JavaScript. Rendered by the server; readers with JavaScript
 * never see it, so its code is not in the first load.
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
