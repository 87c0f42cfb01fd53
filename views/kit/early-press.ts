/**
 * What was pressed before the code for it had come, on a slow line.
 *
 * Forms that are sent by code: the browser would send them itself, and leave the page for an answer that is not for people. The page holds
 * them back (`[data-own]`), and `ScriptedForm` sends what was held back when it is taken over. Other forms with the mark are only held: React
 * would not know what was typed into fields that it keeps, so they are pressed once more.
 *
 * Buttons that are code alone: the press would be lost. It reaches nobody, and is given when the button is taken over; several are one.
 */
import { TAKEN_OVER } from './react-internals.ts';

/** A form as the page marks it. */
export interface HeldForm extends HTMLFormElement {
  isTaken?: true;
  /** What was pressed, or the form itself. */
  early?: HTMLElement;
}

const submits =
  "addEventListener('submit',e=>{let f=e.target;'own'in f.dataset&&(e.preventDefault(),f.isTaken||(f.early=e.submitter||f))},!0);";

const presses = `addEventListener('click',e=>{let b=e.target.closest('[type=button]:not([popovertarget])'),t=()=>Object.keys(b).some(k=>k.startsWith('${TAKEN_OVER}'));b&&!t()&&(e.stopPropagation(),b.early||=setInterval(()=>{(t()||!b.isConnected)&&(clearInterval(b.early),b.click())},50))},!0)`;

/** In the page, before all other code. */
export const holdEarlyPresses = submits + presses;
