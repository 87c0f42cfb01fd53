/** The words of a mail. */

export interface Letter {
  subject: string;
  /** Preview text in the inbox. */
  preview: string;
  title: string;
  paragraphs: string[];
  action: { label: string; link: string };
  /** Small, under the button. */
  notes: string[];
  /** Why this reader got it; at the very end. */
  reason: string;
}
