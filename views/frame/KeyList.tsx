/** The list of keys, and the switch that turns single keys off. */
import { useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { panelWords } from '#views/words/panels.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './KeyList.module.css';
import type { PanelProps } from './panels.ts';
import { useProjects } from './queries.ts';
import { setSingleKeys, singleKeysOn } from './single-keys.ts';

export function KeyList({ onClose }: PanelProps) {
  const { words } = useWords();
  const { keys } = usePart(panelWords);
  const [single, setSingle] = useState(singleKeysOn);
  // A viewer has no such screens.
  const seesPeople = isAtLeast(useProjects()?.current?.role ?? 'member', 'member');
  const all: ([string, string[]] | false)[] = [
    [keys.palette, ['Ctrl K', '/']],
    [keys.overview, [`G ${keys.after} O`]],
    seesPeople && [keys.live, [`G ${keys.after} L`]],
    seesPeople && [keys.ingestion, [`G ${keys.after} I`]],
    [keys.range, ['D']],
    [keys.filter, ['F']],
    seesPeople && [keys.pause, ['P']],
    seesPeople && [keys.issues, ['J', 'K']],
    seesPeople && [keys.issueActions, ['X', 'E', 'I']],
    [keys.help, ['?']],
  ];
  const rows = all.filter((row) => row !== false);
  return (
    <Dialog label={keys.title} onClose={onClose}>
      <div className={css['keys']}>
        <h2>{keys.title}</h2>
        <table>
          <tbody>
            {rows.map(([what, each]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>
                  {each.map((key) => (
                    <kbd key={key} className={`${css['key']} kbd`}>
                      {key}
                    </kbd>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <label className={css['switch']}>
          <input
            type="checkbox"
            checked={single}
            onChange={(event) => {
              setSingle(event.target.checked);
              setSingleKeys(event.target.checked);
            }}
          />
          <span>
            {keys.single}. <span className="dim">{keys.singleHint}</span>
          </span>
        </label>
        <Button onClick={onClose}>{words.nav.close}</Button>
      </div>
    </Dialog>
  );
}
