/**
 * A mail as HTML: tables and inline styles, since that is what mail programs draw; no images, no script, nothing loaded. The only
 * place where `style` attributes are right: there are no custom properties in mails.
 */
import type { CSSProperties, ReactNode } from 'react';
import type { Letter } from '#views/words/letter.ts';
import { groundClass, inkClass, light, sheetOfStyles, text } from './mail-style.ts';

export interface LetterPageProps {
  letter: Letter;
  language: string;
  /** Before the link written out. */
  plainLink: string;
  /** Of the receiver: says which of several mailboxes it came to. */
  to: string;
}

export function LetterPage({ letter, language, plainLink, to }: LetterPageProps) {
  const { subject, preview, title, paragraphs, action, notes, reason } = letter;
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{sheetOfStyles}</style>
      </head>
      <body className={groundClass('paper')} style={{ margin: 0, padding: 0, background: light('paper') }}>
        <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>{preview}</div>
        <Table width="100%" className={groundClass('paper')} style={{ background: light('paper') }}>
          <td align="center" style={{ padding: '24px 12px' }}>
            <table {...plain} width="600" className={`${groundClass('sheet')} l`} style={sheet}>
              <tbody>
                <Row className="p" style={head}>
                  <span style={{ color: '#c08a22' }}>◑</span>&nbsp; Luneta
                </Row>
                <Row className="p" style={{ padding: '32px 32px 0' }}>
                  <h1 className={inkClass('ink')} style={heading}>
                    {title}
                  </h1>
                  {paragraphs.map((paragraph) => (
                    <p
                      key={paragraph}
                      className={inkClass('ink2')}
                      style={{ ...text(15, 24, 'ink2'), margin: '12px 0 0', wordBreak: 'break-word' }}
                    >
                      {paragraph}
                    </p>
                  ))}
                </Row>
                <Row className="p" style={{ padding: '24px 32px 0' }}>
                  <Table>
                    <td className={groundClass('button')} style={{ background: light('button'), borderRadius: 4 }}>
                      <a href={action.link} className={inkClass('onButton')} style={button}>
                        {action.label}
                      </a>
                    </td>
                  </Table>
                </Row>
                <Row className="p" style={{ padding: '20px 32px 32px' }}>
                  {notes.map((note) => (
                    <p key={note} className={inkClass('ink3')} style={{ ...text(13, 20, 'ink3'), margin: '0 0 8px' }}>
                      {note}
                    </p>
                  ))}
                  <p
                    className={inkClass('ink3')}
                    style={{ ...text(13, 20, 'ink3'), margin: 0, wordBreak: 'break-all' }}
                  >
                    {plainLink}
                    <br />
                    <a href={action.link} className={inkClass('link')} style={{ color: light('link') }}>
                      {action.link}
                    </a>
                  </p>
                </Row>
              </tbody>
            </table>
            <table {...plain} width="600" style={{ width: '100%', maxWidth: 600 }}>
              <tbody>
                <Row
                  className={`${inkClass('ink3')} p`}
                  style={{ ...text(12, 18, 'ink3'), padding: '16px 32px', wordBreak: 'break-word' }}
                >
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

const sheet: CSSProperties = {
  width: '100%',
  maxWidth: 600,
  background: light('sheet'),
  border: `1px solid ${light('line')}`,
};
/** The same in both themes. */
const head: CSSProperties = {
  ...text(16, 24, 'onButton'),
  background: light('button'),
  padding: '20px 32px',
  fontWeight: 600,
};
const heading: CSSProperties = {
  ...text(24, 32, 'ink'),
  margin: 0,
  fontWeight: 600,
  letterSpacing: '-0.3px',
  wordBreak: 'break-word',
};

const button: CSSProperties = {
  ...text(14, 20, 'onButton'),
  display: 'inline-block',
  padding: '12px 20px',
  fontWeight: 600,
  textDecoration: 'none',
};

interface PartProps {
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}

function Table({ width, className, style, children }: PartProps & { width?: string }) {
  return (
    <table {...plain} width={width} className={className} style={style}>
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

function Row({ className, style, children }: PartProps) {
  return (
    <tr>
      <td className={className} style={style}>
        {children}
      </td>
    </tr>
  );
}
