/** Weekdays by hours: cells of a table, coloured by how many there were. */

import { groundClass, inkClass, light, text } from './mail-style.ts';
import { edge, full, Row, SectionTitle } from './ReportRows.tsx';
import type { Section } from './sections.ts';

const CELL_PX = 16;

/** Labels over the first of three columns each. */
export function Grid({ section: { title, labels, rows, notes } }: { section: Extract<Section, { kind: 'grid' }> }) {
  return (
    <Row style={{ ...edge, paddingTop: 28 }}>
      <SectionTitle>{title}</SectionTitle>
      <table {...full} style={{ tableLayout: 'fixed' }}>
        <tbody>
          <tr>
            <td width="32" />
            {labels.map((label, at) =>
              at % 3 === 0 ? (
                <td key={label} colSpan={3} className={inkClass('ink3')} style={text(11, 16, 'ink3')}>
                  {label}
                </td>
              ) : null,
            )}
          </tr>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <td className={inkClass('ink3')} style={text(11, CELL_PX, 'ink3')}>
                {label}
              </td>
              {cells.map((step, at) => (
                <GridCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
                  key={at}
                  step={step}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note} className={inkClass('ink3')} style={{ ...text(12, 18, 'ink3'), margin: '6px 0 0' }}>
          {note}
        </p>
      ))}
    </Row>
  );
}

const heats = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4'] as const;

function GridCell({ step }: { step: number | null }) {
  const color = step === null ? undefined : heats[step];
  return color === undefined ? <td /> : <td className={groundClass(color)} style={{ background: light(color) }} />;
}
