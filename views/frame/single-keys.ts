/** Keys without Ctrl or Cmd can be turned off, since dictation types letters. */
const STORAGE = 'luneta:single-keys';

/** True when single-key shortcuts are on. Stored in this browser. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE) !== 'off';
  } catch {
    // Storage may be closed to us; then the keys work, and cannot be turned off for longer than this page.
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE);
    else localStorage.setItem(STORAGE, 'off');
  } catch {
    return;
  }
}
