/**
 * A mail as HTML: tables and inline styles, since that is what mail programs draw; no images, no script, nothing loaded. The only
 * place where `style` attributes are right, and the colours are written out: there are no custom properties in mails.
 */
import type { CSSProperties, ReactNode } from 'react';
import type { Letter } from '#views/words/letter.ts';

export interface LetterPageProps {
  letter: Letter;
  language: string;
  /** Before the link written out. */
  plainLink: string;
  /** Of the receiver: says which of several mailboxes it came to. */
  to: string;
}

const FONT = "-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const INK = '#0f1c2e';
const INK_2 = '#3c4b61';
const INK_3 = '#5a687c';
const LINK = '#1f5fa6';
const PAPER = '#f5f3ee';
const WHITE = '#ffffff';
const ON_INK = '#fcfbf8';
const LINE = '#e6e3dc';
const BRASS = '#c08a22';

const text = (size: number, height: number, color: string): CSSProperties => ({
  fontFamily: FONT,
  fontSize: size,
  lineHeight: `${height}px`,
  color,
});

export function LetterPage({ letter, language, plainLink, to }: LetterPageProps) {
  const { subject, preview, title, paragraphs, action, notes, reason } = letter;
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: 0, padding: 0, background: PAPER }}>
        <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>{preview}</div>
        <Table width="100%" style={{ background: PAPER }}>
          <td align="center" style={{ padding: '24px 12px' }}>
            <table {...plain} width="600" style={sheet}>
              <tbody>
                <Row style={{ ...text(16, 24, ON_INK), background: INK, padding: '20px 32px', fontWeight: 600 }}>
                  <span style={{ color: BRASS }}>◑</span>&nbsp; Luneta
                </Row>
                <Row style={{ padding: '32px 32px 0' }}>
                  <h1 style={{ ...text(24, 32, INK), margin: 0, fontWeight: 600, letterSpacing: '-0.3px' }}>{title}</h1>
                  {paragraphs.map((paragraph) => (
                    <p key={paragraph} style={{ ...text(15, 24, INK_2), margin: '12px 0 0', wordBreak: 'break-word' }}>
                      {paragraph}
                    </p>
                  ))}
                </Row>
                <Row style={{ padding: '24px 32px 0' }}>
                  <Table>
                    <td style={{ background: INK, borderRadius: 4 }}>
                      <a href={action.link} style={button}>
                        {action.label}
                      </a>
                    </td>
                  </Table>
                </Row>
                <Row style={{ padding: '20px 32px 32px' }}>
                  {notes.map((note) => (
                    <p key={note} style={{ ...text(13, 20, INK_3), margin: '0 0 8px' }}>
                      {note}
                    </p>
                  ))}
                  <p style={{ ...text(13, 20, INK_3), margin: 0, wordBreak: 'break-all' }}>
                    {plainLink}
                    <br />
                    <a href={action.link} style={{ color: LINK }}>
                      {action.link}
                    </a>
                  </p>
                </Row>
              </tbody>
            </table>
            <table {...plain} width="600" style={{ width: '100%', maxWidth: 600 }}>
              <tbody>
                <Row style={{ ...text(12, 18, INK_3), padding: '16px 32px', wordBreak: 'break-word' }}>
                  {reason} {to}
                </Row>
              </tbody>
            </table>
          </td>
        </Table>
      </body>
    </html>
  );
}

const plain = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;

const sheet: CSSProperties = { width: '100%', maxWidth: 600, background: WHITE, border: `1px solid ${LINE}` };

const button: CSSProperties = {
  ...text(14, 20, ON_INK),
  display: 'inline-block',
  padding: '12px 20px',
  fontWeight: 600,
  textDecoration: 'none',
};

function Table({ width, style, children }: { width?: string; style?: CSSProperties; children: ReactNode }) {
  return (
    <table {...plain} width={width} style={style}>
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

function Row({ style, children }: { style: CSSProperties; children: ReactNode }) {
  return (
    <tr>
      <td style={style}>{children}</td>
    </tr>
  );
}
