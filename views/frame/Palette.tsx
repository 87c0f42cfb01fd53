/**
 * The command palette: go to a screen or a project, or do something, by typing a few letters. A combobox: the field keeps the
 * focus, arrows move through the list.
 */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { Dialog } from '#views/kit/Dialog.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { headingClass, optionClass } from '#views/kit/Popover.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { panelWords } from '#views/words/panels.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { findCommands } from './find-commands.ts';
import type { PanelProps } from './LazyPanels.tsx';
import css from './Palette.module.css';
import { type Command, useCommands } from './palette-commands.ts';
import { useAddress } from './queries.ts';
import { noteCommand } from './recent-commands.ts';

export function Palette({ onClose, onOpen }: PanelProps) {
  const { format } = useWords();
  const { palette } = usePart(panelWords);
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { commands, always } = useCommands(typed, () => onOpen('keys'));
  const found = [...findCommands(commands, typed), ...always];
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const address = useAddress();
  const current = found[Math.min(chosen, found.length - 1)];

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

  function move(to: number): void {
    const next = (to + found.length) % Math.max(found.length, 1);
    setChosen(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const at = Math.min(chosen, found.length - 1);
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') take(current, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog label={palette.label} className={classNames(css['palette'], 'ph-no-capture')} onClose={onClose}>
      <div className={css['field']}>
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current && `${id}-${current.id}`}
          aria-label={palette.label}
          placeholder={palette.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={palette.label} className={css['list']}>
        {found.length === 0 && <p className={css['none']}>{palette.none}</p>}
        {grouped(found).map(({ group, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group} role="group" aria-label={group}>
            <p className={headingClass} aria-hidden="true">
              {group}
            </p>
            {items.map((command) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={command.id}
                id={`${id}-${command.id}`}
                role="option"
                aria-selected={command === current}
                className={classNames(css['option'], optionClass(command === current))}
                onPointerMove={() => setChosen(found.indexOf(command))}
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

function grouped(commands: Command[]): { group: string; items: Command[] }[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, items]) => ({ group, items }));
}
