/** Sharing by link. The page of a link has no code in the browser, but its style sheet is made with this one. */
export { ShareDialog } from '#views/sharing/ShareDialog.tsx';

import '#views/sharing/SharedPage.module.css';
