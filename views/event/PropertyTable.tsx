/** Captured properties: name, value, type. Values are always rendered as text. */
import type { EventDetail } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { LongText } from '#views/kit/LongText.tsx';
import { liveWords } from '#views/words/live.ts';
import { usePart } from '#views/words/words.tsx';
import css from './PropertyTable.module.css';
import { jsonText, webAddress } from './values.ts';

export type PropertyRow = EventDetail['properties'][number];

export function PropertyTable({ caption, rows }: { caption: string; rows: PropertyRow[] }) {
  const live = usePart(liveWords);
  return (
    <table className={css['table']} aria-label={caption}>
      <tbody>
        {rows.map(({ name, value, type }) => (
          <tr key={name}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td>
              <Value value={value} />
            </td>
            <td className={css['type']}>{live.types[type]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Captured values are text. Only an address of the web becomes a link, and it learns nothing of where it was opened. */
function Value({ value }: { value: JsonValue }) {
  const live = usePart(liveWords);
  if (value === null || value === '') return <span className="dim">{live.types.null}</span>;
  if (typeof value === 'object') return <LongText label={live.value} text={jsonText(value)} code />;
  if (typeof value !== 'string') return String(value);
  const address = webAddress(value);
  if (address === null) return <LongText label={live.value} text={value} />;
  return (
    <a className="link" href={address} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}
