/** A report as HTML: tables and inline styles, bars as cells, no images, no script, nothing loaded. */
import type { CSSProperties } from 'react';
import { groundClass, inkClass, light, sheetOfStyles, text } from './mail-style.ts';
import { Grid } from './ReportGrid.tsx';
import { edge, full, plain, Row, SectionTitle } from './ReportRows.tsx';
import type { ReportLetter } from './report-letter.ts';
import type { BarRow, ColumnText, Moved, Section } from './sections.ts';

export interface ReportPageProps {
  letter: ReportLetter;
  language: string;
}

const line = `1px solid ${light('line')}`;

export function ReportPage({ letter, language }: ReportPageProps) {
  const { subject, preview, project, period, title, sections, action, reason, manage, unsubscribe } = letter;
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
        <table {...full} className={groundClass('paper')} style={{ background: light('paper') }}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: '24px 12px' }}>
                <table {...plain} width="600" className={`${groundClass('sheet')} l`} style={sheet}>
                  <tbody>
                    <Head project={project} />
                    <Row style={{ padding: '32px 32px 0' }}>
                      <div className={inkClass('ink3')} style={text(13, 20, 'ink3')}>
                        {period}
                      </div>
                      <h1 className={inkClass('ink')} style={heading}>
                        {title}
                      </h1>
                    </Row>
                    {sections.map((section, at) => (
                      // The order never changes: a mail is drawn once.
                      // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name
                      <Part key={at} section={section} />
                    ))}
                    <Row style={{ padding: '28px 32px 32px' }}>
                      <a
                        href={action.link}
                        className={`${groundClass('button')} ${inkClass('onButton')}`}
                        style={button}
                      >
                        {action.label}
                      </a>
                    </Row>
                  </tbody>
                </table>
                <table {...plain} width="600" style={{ width: '100%', maxWidth: 600 }}>
                  <tbody>
                    <tr>
                      <td
                        className={`${inkClass('ink3')} p`}
                        style={{ ...text(12, 18, 'ink3'), padding: '16px 32px', wordBreak: 'break-word' }}
                      >
                        {reason}
                        <br />
                        {manage !== null && (
                          <>
                            <a href={manage.link} className={inkClass('link')} style={{ color: light('link') }}>
                              {manage.label}
                            </a>{' '}
                            &nbsp;{' '}
                          </>
                        )}
                        <a href={unsubscribe.link} className={inkClass('link')} style={{ color: light('link') }}>
                          {unsubscribe.label}
                        </a>
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const sheet: CSSProperties = { width: '100%', maxWidth: 600, background: light('sheet'), border: line };
const heading: CSSProperties = {
  ...text(24, 32, 'ink'),
  margin: '4px 0 0',
  fontWeight: 600,
  letterSpacing: '-0.3px',
  wordBreak: 'break-word',
};
const button: CSSProperties = {
  ...text(14, 20, 'onButton'),
  background: light('button'),
  borderRadius: 4,
  display: 'inline-block',
  padding: '12px 20px',
  fontWeight: 600,
  textDecoration: 'none',
};

/** The same in both themes. */
function Head({ project }: { project: string }) {
  return (
    <tr>
      <td className="p" style={{ background: '#0f1c2e', padding: '20px 32px' }}>
        <table {...full}>
          <tbody>
            <tr>
              <td style={{ ...text(16, 24, 'onButton'), fontWeight: 600 }}>
                <span style={{ color: '#c08a22' }}>◑</span>&nbsp; Luneta
              </td>
              <td align="right" style={{ ...text(13, 24, 'onButton'), color: '#b4c0cf', wordBreak: 'break-word' }}>
                {project}
              </td>
            </tr>
          </tbody>
        </table>
      </td>
    </tr>
  );
}

function Part({ section }: { section: Section }) {
  switch (section.kind) {
    case 'figures':
      return <Figures section={section} />;
    case 'columns':
      return <Columns section={section} />;
    case 'table':
      return <Bars section={section} />;
    case 'grid':
      return <Grid section={section} />;
    case 'heading':
      return (
        <Row style={{ ...edge, paddingTop: 32 }}>
          <h2 className={inkClass('ink')} style={{ ...text(18, 24, 'ink'), margin: 0, fontWeight: 600 }}>
            {section.text}
          </h2>
        </Row>
      );
    case 'text':
      return (
        <Row style={{ ...edge, paddingTop: 16 }}>
          {section.lines.map((each, at) => (
            <p
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              key={at}
              className={inkClass('ink2')}
              style={{ ...text(14, 22, 'ink2'), margin: '0 0 8px', wordBreak: 'break-word' }}
            >
              {each}
            </p>
          ))}
        </Row>
      );
    case 'note':
      return (
        <Row style={{ ...edge, paddingTop: 20 }}>
          <p className={inkClass('ink3')} style={{ ...text(13, 20, 'ink3'), margin: 0, wordBreak: 'break-word' }}>
            {section.text}
          </p>
        </Row>
      );
  }
}

function Figures({ section: { figures } }: { section: Extract<Section, { kind: 'figures' }> }) {
  const width = `${Math.floor(100 / figures.length)}%`;
  return (
    <Row style={{ ...edge, paddingTop: 24 }}>
      <table {...full} className="l" style={{ borderTop: line, tableLayout: 'fixed' }}>
        <tbody>
          <tr>
            {figures.map(({ label, value, moved }, at) => (
              <td
                key={label}
                width={width}
                valign="top"
                className="l g"
                style={{ padding: at === 0 ? '12px 0' : '12px 0 12px 16px', ...(at > 0 && { borderLeft: line }) }}
              >
                <div className={inkClass('ink3')} style={text(12, 16, 'ink3')}>
                  {label}
                </div>
                <div className={`${inkClass('ink')} f`} style={{ ...text(24, 32, 'ink'), fontWeight: 600 }}>
                  {value}
                </div>
                {moved !== null && <Movement moved={moved} />}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </Row>
  );
}

const arrows = { up: '▲', down: '▼' };

function Movement({ moved: { text: said, direction, tone } }: { moved: Moved }) {
  const color = tone ?? 'ink3';
  return (
    <span className={inkClass(color)} style={{ ...text(12, 16, color), whiteSpace: 'nowrap' }}>
      {direction !== null && `${arrows[direction]} `}
      {said}
    </span>
  );
}

const COLUMN_PX = 88;

function Columns({ section: { columns, caption } }: { section: Extract<Section, { kind: 'columns' }> }) {
  const isWide = columns.length <= 7;
  const side = isWide ? 14 : 1;
  return (
    <Row style={{ ...edge, paddingTop: 16 }}>
      <table {...full} style={{ tableLayout: 'fixed' }}>
        <tbody>
          <tr style={{ verticalAlign: 'bottom' }}>
            {columns.map((column, at) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: intervals have no other name
                key={at}
                align="center"
                valign="bottom"
                className={isWide ? 'k' : ''}
                style={{ padding: `0 ${side}px` }}
              >
                <Column column={column} />
              </td>
            ))}
          </tr>
          <tr>
            {columns.map(({ label }, at) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: intervals have no other name
                key={at}
                align={isWide ? 'center' : 'left'}
                className={`${inkClass('ink3')} r`}
                style={{
                  ...text(12, 16, 'ink3'),
                  padding: '6px 0 0',
                  borderTop: `1px solid ${light('rule')}`,
                  whiteSpace: 'nowrap',
                }}
              >
                {label === '' ? ' ' : label}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {caption !== '' && (
        <div className={inkClass('ink3')} style={{ ...text(12, 16, 'ink3'), paddingTop: 8 }}>
          {caption}
        </div>
      )}
    </Row>
  );
}

function Column({ column: { value, bar, isPeak } }: { column: ColumnText }) {
  const color = isPeak ? 'peak' : 'bar';
  const ink = isPeak ? 'ink' : 'ink3';
  return (
    <>
      {value !== '' && (
        <div
          className={inkClass(ink)}
          style={{ ...text(11, 16, ink), margin: '0 -12px', ...(isPeak && { fontWeight: 600 }) }}
        >
          {value}
        </div>
      )}
      <div
        className={groundClass(color)}
        style={{ height: Math.round(bar * COLUMN_PX), background: light(color), fontSize: 0, lineHeight: 0 }}
      >
        &nbsp;
      </div>
    </>
  );
}

function Bars({ section: { title, rows, note } }: { section: Extract<Section, { kind: 'table' }> }) {
  return (
    <Row style={{ ...edge, paddingTop: 28 }}>
      <SectionTitle>{title}</SectionTitle>
      <table {...full} className="l" style={{ borderTop: line }}>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of several series may have one name
            <BarLine key={at} row={row} />
          ))}
        </tbody>
      </table>
      {note !== '' && (
        <p className={inkClass('ink3')} style={{ ...text(12, 18, 'ink3'), margin: '8px 0 0' }}>
          {note}
        </p>
      )}
    </Row>
  );
}

const cell: CSSProperties = { padding: '8px 0', borderBottom: line, verticalAlign: 'top' };

function BarLine({ row: { name, value, side, moved, bar } }: { row: BarRow }) {
  const ink = bar === null ? 'ink3' : 'ink';
  return (
    <tr>
      <td className="l" style={{ ...cell, wordBreak: 'break-word' }}>
        <div className={inkClass(ink)} style={text(14, 20, ink)}>
          {name}
        </div>
        {bar !== null && <Bar share={bar} />}
      </td>
      <td align="right" width="112" className="l" style={{ ...cell, paddingLeft: 12, width: 112 }}>
        <div className={inkClass(ink)} style={{ ...text(14, 20, ink), whiteSpace: 'nowrap' }}>
          {value}
          {side !== '' && (
            <span className={inkClass('ink3')} style={{ ...text(12, 20, 'ink3') }}>
              {' '}
              &nbsp;{side}
            </span>
          )}
        </div>
        {moved !== null && <Movement moved={moved} />}
      </td>
    </tr>
  );
}

function Bar({ share }: { share: number }) {
  const percent = Math.max(1, Math.round(share * 100));
  const thin: CSSProperties = { height: 4, fontSize: 0, lineHeight: 0 };
  return (
    <table {...full} style={{ marginTop: 6 }}>
      <tbody>
        <tr>
          <td width={`${percent}%`} className={groundClass('bar')} style={{ ...thin, background: light('bar') }}>
            &nbsp;
          </td>
          {percent < 100 && (
            <td className={groundClass('track')} style={{ ...thin, background: light('track') }}>
              &nbsp;
            </td>
          )}
        </tr>
      </tbody>
    </table>
  );
}
