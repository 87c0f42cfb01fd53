/** Writes a mail: subject, HTML and text from one set of words. The other place, besides the screens, where the server draws. */
import { renderToStaticMarkup } from 'react-dom/server';
import { LetterPage } from '#views/mails/Letter.tsx';
import { letterText } from '#views/mails/letter-text.ts';
import type { Letter } from '#views/words/letter.ts';
import { letterWords } from '#views/words/mails.ts';
import { type MailData, type MailMessage, oneLine } from './contract.ts';

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** The URL of its button. */
  link: string;
}

/** @throws TypeError for a link that is not http(s): a mistake of the caller */
export function renderMail(message: Pick<MailMessage, 'to' | 'language' | 'kind' | 'data'>): WrittenMail {
  const { to, language } = message;
  const words = letterWords[language];
  const letter = letterOf(message);
  const { link } = letter.action;
  if (!/^https?:\/\//.test(link)) throw new TypeError(`the link of an email (${message.kind}) is not a URL`);
  const page = <LetterPage letter={letter} language={language} plainLink={words.plainLink} to={to} />;
  return {
    subject: letter.subject,
    html: `<!doctype html>${renderToStaticMarkup(page)}`,
    text: letterText(letter, to),
    link,
  };
}

/** The words of a mail, for messages that go elsewhere. */
export function composeLetter(message: Pick<MailMessage, 'language' | 'kind' | 'data'>): Letter {
  return letterOf(message);
}

function letterOf({ kind, language, data }: Pick<MailMessage, 'language' | 'kind' | 'data'>): Letter {
  const write = letterWords[language].letters[kind] as (data: MailData[typeof kind]) => Letter;
  const letter = write(onOneLine(data));
  return { ...letter, subject: oneLine(letter.subject) };
}

/** Names are user input: limited to one short line, so that they cannot carry a message. */
function onOneLine<Data extends object>(data: Data): Data {
  const lines = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'link' ? oneLine(value, LONGEST_NAME) : value,
  ]);
  return Object.fromEntries(lines) as Data;
}

const LONGEST_NAME = 100;
