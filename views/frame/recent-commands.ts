/** Recently used commands of the palette: ids and names of screens, stored in this browser. Never searches for people. */
const STORAGE = 'luneta:recent-commands';
const KEPT = 40;
const SHOWN = 5;

/** Ids of commands, the last one first. @param project in which they were taken; '' outside of projects */
export function recentCommands(project: string): string[] {
  const prefix = `${project} `;
  return read()
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => entry.slice(prefix.length));
}

export function noteCommand(project: string, id: string): void {
  const entry = `${project} ${id}`;
  const entries = [entry, ...read().filter((each) => each !== entry)].slice(0, KEPT);
  try {
    localStorage.setItem(STORAGE, JSON.stringify(entries));
  } catch {
    // Storage may be closed to us, or full: then nothing is remembered.
    return;
  }
}

/** Sorts recent commands first: in a group named `group`, or within their groups while searching. */
export function recentFirst<Command extends { id: string; group: string }>(
  commands: readonly Command[],
  recent: readonly string[],
  group: string | null,
): Command[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const first = recent.flatMap((id) => byId.get(id) ?? []).slice(0, SHOWN);
  const others = commands.filter((command) => !first.includes(command));
  return [...(group === null ? first : first.map((command) => ({ ...command, group }))), ...others];
}

function read(): string[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(STORAGE) ?? '[]');
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
