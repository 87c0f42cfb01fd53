/**
 * Clicks before hydration, on slow connections.
 *
 * Forms submitted by code: the browser would submit them itself, and navigate to a response that is not for people. The page holds
 * them back (`[data-own]`), and `ScriptedForm` submits them after hydration. Other marked forms are only held: React
 * would not know the text typed into controlled fields, so they must be submitted again.
 *
 * Buttons with a handler only: the click would be lost. It is held and replayed after hydration; several count as one.
 */
import { TAKEN_OVER } from './react-internals.ts';

/** A form as the page marks it. */
export interface HeldForm extends HTMLFormElement {
  isTaken?: true;
  /** The clicked button, or the form itself. */
  early?: HTMLElement;
}

const submits =
  "addEventListener('submit',e=>{let f=e.target;'own'in f.dataset&&(e.preventDefault(),f.isTaken||(f.early=e.submitter||f))},!0);";

const presses = `addEventListener('click',e=>{let b=e.target.closest('[type=button]:not([popovertarget])'),t=()=>Object.keys(b).some(k=>k.startsWith('${TAKEN_OVER}'));b&&!t()&&(e.stopPropagation(),b.early||=setInterval(()=>{(t()||!b.isConnected)&&(clearInterval(b.early),b.click())},50))},!0)`;

/** In the page, before all other code. */
export const holdEarlyPresses = submits + presses;
