import { noteCommand, recentCommands, recentFirst } from '#views/frame/recent-commands.ts';

const kept = new Map<string, string>();
const storage = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, text: string) => kept.set(name, text),
};

beforeEach(() => {
  kept.clear();
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true, writable: true });
});

it('remembers what was taken, the last one first, by project', () => {
  for (const id of ['live', 'goal-3', 'live']) noteCommand('2', id);
  noteCommand('', 'home');
  expect(recentCommands('2')).toEqual(['live', 'goal-3']);
  expect(recentCommands('')).toEqual(['home']);
  expect(recentCommands('22')).toEqual([]);
});

it('keeps no more than it needs', () => {
  for (let n = 0; n < 60; n++) noteCommand('2', `goal-${n}`);
  expect(recentCommands('2')).toHaveLength(40);
  expect(recentCommands('2')[0]).toBe('goal-59');
});

it('knows nothing where nothing can be kept, or what is kept makes no sense', () => {
  kept.set('luneta:recent-commands', '{"a":1}');
  expect(recentCommands('2')).toEqual([]);
  kept.set('luneta:recent-commands', '[1, "2 live"');
  expect(recentCommands('2')).toEqual([]);
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new Error('closed');
    },
    configurable: true,
  });
  noteCommand('2', 'live');
  expect(recentCommands('2')).toEqual([]);
});

it('puts them first, under their own heading until something is typed; what is gone is left out', () => {
  const commands = ['overview', 'live', 'goals'].map((id) => ({ id, group: 'Go to' }));
  const recent = ['goals', 'gone', 'live'];
  expect(recentFirst(commands, recent, 'Recent').map(({ id, group }) => `${group}: ${id}`)).toEqual([
    'Recent: goals',
    'Recent: live',
    'Go to: overview',
  ]);
  expect(recentFirst(commands, recent, null).map(({ id, group }) => `${group}: ${id}`)).toEqual([
    'Go to: goals',
    'Go to: live',
    'Go to: overview',
  ]);
});
