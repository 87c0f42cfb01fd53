import { projectChange, projectSettings } from '#src/projects/contract.ts';
import { replayPathEntry, selectorEntry } from '#src/projects/replay/values.ts';
import { canWatchReplays } from '#src/replays/values.ts';

describe('settings of session replay', () => {
  it('record nothing until someone switches it on', () => {
    const { replay } = projectSettings.parse({});
    expect(replay).toMatchObject({ mode: 'off', samplePercent: 10, masking: 'inputs', viewersWatch: false });
    expect(projectSettings.parse({ replay: { mode: 'all' } }).replay).toEqual({ ...replay, mode: 'all' });
  });

  it('take selectors and paths, and nothing that is neither', () => {
    expect([' .card ', 'input[name="cpf"]', ':not(.open)'].map(selectorEntry)).toEqual([
      '.card',
      'input[name="cpf"]',
      ':not(.open)',
    ]);
    expect(['', 'a{color:red}', 'a[b', '"', '</style>'].map(selectorEntry)).toEqual([null, null, null, null, null]);
    expect(['/checkout/*', 'checkout', '/a?b', '/a b'].map(replayPathEntry)).toEqual(['/checkout/*', null, null, null]);
  });

  it('are bounded', () => {
    const accepts = (replay: object) => projectChange.safeParse({ settings: { replay } }).success;
    expect(accepts({ samplePercent: 0, retentionDays: 365, budgetGb: 0.5 })).toBe(true);
    expect(accepts({ samplePercent: 101 })).toBe(false);
    expect(accepts({ retentionDays: 0 })).toBe(false);
    expect(accepts({ budgetGb: 0 })).toBe(false);
    expect(accepts({ minimumSeconds: 301 })).toBe(false);
    expect(accepts({ maskSelectors: ['{}'] })).toBe(false);
  });

  it('let members watch, and viewers where the project says so', () => {
    expect(
      (['viewer', 'member', 'admin', 'owner'] as const).map((role) => canWatchReplays(role, { viewersWatch: false })),
    ).toEqual([false, true, true, true]);
    expect(canWatchReplays('viewer', { viewersWatch: true })).toBe(true);
  });
});
