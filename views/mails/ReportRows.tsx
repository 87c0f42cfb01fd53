/** Rows and headings that all parts of a report are made of. */
import type { CSSProperties, ReactNode } from 'react';
import { inkClass, text } from './mail-style.ts';

export const plain = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;
export const full = { width: '100%', ...plain };
export const edge: CSSProperties = { padding: '0 32px' };

export function Row({ style, children }: { style: CSSProperties; children: ReactNode }) {
  return (
    <tr>
      <td className="p" style={style}>
        {children}
      </td>
    </tr>
  );
}

export function SectionTitle({ children }: { children: ReactNode }) {
  return (
    <h2
      className={inkClass('ink')}
      style={{ ...text(14, 20, 'ink'), margin: '0 0 4px', fontWeight: 600, wordBreak: 'break-word' }}
    >
      {children}
    </h2>
  );
}
