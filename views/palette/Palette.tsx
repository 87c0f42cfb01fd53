/**
 * The command palette: go to a screen or a project, or do something, by typing a few letters. A combobox: the field keeps the
 * focus, arrows move through the list.
 */
import { type KeyboardEvent, useState } from 'react';
import { findCommands } from '#views/frame/find-commands.ts';
import type { PanelProps } from '#views/frame/panels.ts';
import { useAddress } from '#views/frame/queries.ts';
import { noteCommand } from '#views/frame/recent-commands.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Dialog } from '#views/kit/Dialog.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { headingClass, optionClass } from '#views/kit/Popover.tsx';
import { inGroups, useOptions } from '#views/kit/use-options.ts';
import { useNavigate } from '#views/navigation.tsx';
import { panelWords } from '#views/words/panels.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Palette.module.css';
import { type Command, useCommands, useRanges } from './palette-commands.ts';

export function Palette({ onClose, onOpen }: PanelProps) {
  const { format } = useWords();
  const { palette } = usePart(panelWords);
  const { navigate } = useNavigate();
  const [typed, setTyped] = useState('');
  const { commands, always } = useCommands(typed, () => onOpen('keys'));
  const groups = inGroups([...useRanges(typed), ...findCommands(commands, typed), ...always]);
  const found = groups.flatMap(({ items }) => items);
  const keys = useOptions({ count: found.length, initial: 0, onKey });
  const address = useAddress();

  function take(command: Command | undefined, newTab: boolean): void {
    if (command === undefined) return;
    if (!command.passing) noteCommand(address?.project ?? '', command.id);
    if (command.href === undefined) {
      onClose();
      command.run?.();
    } else if (newTab) {
      window.open(command.href, '_blank', 'noopener');
    } else {
      onClose();
      navigate(command.href);
    }
  }

  function onKey(event: KeyboardEvent, place: number): boolean {
    if (event.key !== 'Enter') return false;
    take(found[place], event.ctrlKey || event.metaKey);
    return true;
  }

  return (
    <Dialog label={palette.label} className={classNames(css['palette'], 'ph-no-capture')} onClose={onClose}>
      <div className={css['field']}>
        <Icon name="search" />
        <input
          {...keys.field}
          role="combobox"
          aria-expanded={found.length > 0}
          autoFocus
          aria-label={palette.label}
          placeholder={palette.hint}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            keys.reset();
          }}
        />
      </div>
      <div {...keys.list} role="listbox" aria-label={palette.label} className={css['list']}>
        {found.length === 0 && <p className={css['none']}>{palette.none}</p>}
        {groups.map(({ group, from, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group} role="group" aria-label={group}>
            <p className={headingClass} aria-hidden="true">
              {group}
            </p>
            {items.map((command, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={command.id}
                {...keys.optionAt(from + index)}
                role="option"
                aria-selected={from + index === keys.place}
                className={classNames(css['option'], optionClass(from + index === keys.place))}
                onClick={(event) => take(command, event.ctrlKey || event.metaKey)}
              >
                <Icon name={command.icon} />
                <span className="clip">{command.text}</span>
                {command.keys && <kbd className={`${css['key']} kbd`}>{command.keys}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={css['foot']} aria-hidden="true">
        <span>↑↓ {palette.move}</span>
        <span>Enter {palette.open}</span>
        <span className="wide-only">Ctrl Enter {palette.newTab}</span>
        <span>Esc {palette.close}</span>
      </p>
      <p role="status" className="visually-hidden">
        {typed === '' ? '' : palette.results(found.length, format.number(found.length))}
      </p>
    </Dialog>
  );
}
