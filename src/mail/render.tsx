/** Writes a mail: subject, HTML and text from one set of words. The other place, besides the screens, where the server draws. */
import { renderToStaticMarkup } from 'react-dom/server';
import type { ReportData } from '#src/reports/values.ts';
import { LetterPage } from '#views/mails/Letter.tsx';
import { letterText } from '#views/mails/letter-text.ts';
import { ReportPage } from '#views/mails/Report.tsx';
import { type ReportLetter, reportLetter } from '#views/mails/report-letter.ts';
import { reportText } from '#views/mails/report-text.ts';
import type { Letter } from '#views/words/letter.ts';
import { letterWords } from '#views/words/mails.ts';
import { reportMailWords } from '#views/words/report-mails.ts';
import { type MailData, type MailMessage, oneLine } from './contract.ts';

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** The URL of its button. */
  link: string;
  /** Further headers by name; absent: none. */
  headers?: Record<string, string>;
}

/** @throws TypeError for a link that is not http(s): a mistake of the caller */
export function renderMail(message: Pick<MailMessage, 'to' | 'language' | 'kind' | 'data'>): WrittenMail {
  const { to, language } = message;
  if (message.kind === 'report') return renderReport(message.data as ReportData, language, to);
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

/** Programs cut off what is longer: Gmail at 102 kB. */
export const MAX_REPORT_BYTES = 90_000;

/** A report with as many of its parts as fit. */
function renderReport(data: ReportData, language: MailMessage['language'], to: string): WrittenMail {
  const letter = reportLetter(data, language, to);
  const { cut } = reportMailWords[language];
  for (let kept = letter.sections.length; ; kept -= 1) {
    const isWhole = kept === letter.sections.length;
    const note = { kind: 'note', text: cut } as const;
    const sections = isWhole ? letter.sections : [...letter.sections.slice(0, kept), note];
    const written = writeReport({ ...letter, sections }, language);
    if (Buffer.byteLength(written.html) <= MAX_REPORT_BYTES || kept === 0) return written;
  }
}

function writeReport(letter: ReportLetter, language: MailMessage['language']): WrittenMail {
  const { link } = letter.action;
  return {
    subject: oneLine(letter.subject),
    html: `<!doctype html>${renderToStaticMarkup(<ReportPage letter={letter} language={language} />)}`,
    text: reportText(letter),
    link,
    // RFC 8058: mail programs end it with one POST.
    headers: {
      'List-Unsubscribe': `<${letter.unsubscribe.link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** The words of a mail, for messages that go elsewhere. */
export function composeLetter(message: Pick<MailMessage, 'language' | 'kind' | 'data'>): Letter {
  return letterOf(message);
}

function letterOf({ kind, language, data }: Pick<MailMessage, 'language' | 'kind' | 'data'>): Letter {
  if (kind === 'report') throw new TypeError('a report is no letter');
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
