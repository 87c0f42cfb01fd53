/** Differences, errors and sent changes of a settings form. */

import { projectChange } from '#src/projects/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { sampleConfiguration } from '#test/kit/sample-answers.ts';
import {
  channelDrafts,
  channelErrors,
  channelsTyped,
  moved,
  withNewRule,
} from '#views/screens/projects/channel-rules.ts';
import {
  changeOf,
  differences,
  fieldOf,
  tabOf,
  validateDraft,
  valuesOf,
} from '#views/screens/projects/settings-form.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { readingWords } from '#views/words/reading.ts';
import { replaySettingsWords } from '#views/words/replay-settings.ts';
import { settingsWords } from '#views/words/settings.ts';

const stored = valuesOf(sampleConfiguration());
const wrongs = (draft: Parameters<typeof validateDraft>[0]) =>
  validateDraft(draft, settingsWords.en, readingWords.en, replaySettingsWords.en, formatOf(en));

it('has a tab for every field that is stored', () => {
  const { settings } = sampleConfiguration();
  const known = new Set(Object.keys(tabOf));
  // Fields of replay are named with it; rules of errors have a separate screen.
  const elsewhere = ['replay', 'groupingRules', 'suppressionRules'];
  expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([...elsewhere, 'demo']);
  const changed = projectChange.shape.settings._zod.def.innerType.shape;
  expect(Object.keys(changed).filter((name) => !known.has(name))).toEqual(elsewhere);
  expect(Object.keys(settings.replay).filter((name) => fieldOf(`settings.replay.${name}`) === null)).toEqual([]);
});

it('sends of session replay what was changed, as it is stored', () => {
  const draft = {
    replayMode: 'problems',
    replaySample: '2,5',
    replayEvents: ' pay failed \n\n',
    replayViewers: true,
  } as const;
  const change = changeOf(draft);
  expect(change.settings.replay).toEqual({
    mode: 'problems',
    samplePercent: 2.5,
    events: ['pay failed'],
    viewersWatch: true,
  });
  expect(projectChange.safeParse(change).success).toBe(true);
  expect(
    wrongs({ replaySample: '101', replaySeconds: '1.5', replayMask: '.a\n{', replayOnly: 'cart', replayBudget: 'x' }),
  ).toEqual({
    replaySample: expect.stringContaining('100'),
    replaySeconds: expect.any(String),
    replayMask: expect.stringContaining('{'),
    replayOnly: expect.stringContaining('cart'),
    replayBudget: expect.any(String),
  });
});

it('knows what is different, and forgets what was typed back', () => {
  expect(differences({ name: 'Café Serrana', autocapture: false, retentionDays: '395' }, stored)).toEqual({
    autocapture: false,
  });
});

it('sends rules for reading, of switches only those that differ', () => {
  const draft = {
    ids: true,
    channelRules: channelDrafts([
      {
        channel: ' Partners ',
        when: [
          { field: 'source', like: 'partner* ' },
          { field: 'medium', like: 'blog' },
        ],
      },
      { channel: 'News', when: [{ field: 'referrer', like: '*.news' }] },
    ]),
    primaryHost: ' a.example ',
  };
  const change = changeOf(draft);
  expect(change.settings).toEqual({
    pathRules: { ids: true },
    primaryHost: 'a.example',
    channelRules: [
      {
        channel: 'Partners',
        when: [
          { field: 'source', like: 'partner*' },
          { field: 'medium', like: 'blog' },
        ],
      },
      { channel: 'News', when: [{ field: 'referrer', like: '*.news' }] },
    ],
  });
  expect(projectChange.safeParse(change).success).toBe(true);
  expect(changeOf({ pathRules: '/a/:b\n\n /c/* ' }).settings.pathRules).toEqual({ patterns: ['/a/:b', '/c/*'] });
  const wrong = {
    pathRules: '/ok/:a\na',
    channelRules: withNewRule([]),
    primaryHost: '*.a.example',
    otherHosts: 'a b',
  };
  expect(Object.keys(wrongs(wrong)).sort()).toEqual(Object.keys(wrong).sort());
  expect(wrongs({ pathRules: Array.from({ length: 51 }, (_, at) => `/p${at}`).join('\n') })).toHaveProperty(
    'pathRules',
  );
});

it('keeps rules for channels apart while they are moved, added and removed', () => {
  const step = fc.tuple(fc.constantFrom('add', 'remove', 'up', 'down'), fc.nat(5));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let rules = channelDrafts([]);
      let names: string[] = [];
      for (const [at, [what, place]] of steps.entries()) {
        const id = rules[place]?.id;
        if (what === 'add') {
          rules = withNewRule(rules).map((rule) =>
            rule.channel === '' ? { ...rule, channel: `channel ${at}` } : rule,
          );
          names = [...names, `channel ${at}`];
        } else if (id !== undefined && what === 'remove') {
          rules = rules.filter((rule) => rule.id !== id);
          names = names.toSpliced(place, 1);
        } else if (id !== undefined) {
          rules = moved(rules, id, what === 'up' ? -1 : 1);
          const to = Math.min(names.length - 1, Math.max(0, what === 'up' ? place - 1 : place + 1));
          names = names.toSpliced(place, 1).toSpliced(to, 0, names[place] as string);
        }
        expect(rules.map(({ channel }) => channel)).toEqual(names);
        expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
        const typed = channelsTyped(rules, (name) => (name.startsWith('like') ? `typed ${name}` : undefined));
        expect(channelErrors(typed)).toEqual({});
        expect(typed.map(({ when }) => when[0]?.like)).toEqual(rules.map(({ id }) => `typed like ${id} 0`));
      }
    }),
    { numRuns: 50 },
  );
  expect(differences({ channelRules: channelDrafts([]) }, stored)).toEqual({});
});

it('sends what differs, in the form in which it is stored', () => {
  const change = changeOf({
    ...{ name: ' Loja ', weekStart: '0', retentionDays: '', cookieless: false },
    ...{ allowedOrigins: 'https://a.example\n\n b.example ', internalIds: '' },
  });
  expect(change).toEqual({
    name: 'Loja',
    weekStart: 0,
    settings: {
      retentionDays: null,
      cookieless: false,
      allowedOrigins: ['https://a.example', 'b.example'],
      internalIds: [],
    },
  });
  expect(projectChange.parse(change)).toEqual(change);
  expect(changeOf({ retentionDays: '90', bounceSeconds: '30' })).toEqual({
    settings: { retentionDays: 90, bounceSeconds: 30 },
  });
});

it('says which entry is wrong, and only of what was changed', () => {
  expect(wrongs({})).toEqual({});
  expect(wrongs({ name: ' ', timeZone: 'Mars', internalAddresses: '203.0.113.7\n300.1.1.1' })).toEqual({
    name: 'Enter a name.',
    timeZone: expect.stringContaining('Unknown time zone'),
    internalAddresses: expect.stringContaining('“300.1.1.1”'),
  });
  for (const bounceSeconds of ['', '0', '601', '2.5', 'ten', '-3']) {
    expect(wrongs({ bounceSeconds }).bounceSeconds).toContain('from 1 to 600');
  }
  expect(wrongs({ bounceSeconds: ' 600 ' })).toEqual({});
  const many = Array.from({ length: 101 }, (_, index) => `id-${index}`).join('\n');
  expect(wrongs({ internalIds: many }).internalIds).toContain('100');
});

it('finds the field of a refusal', () => {
  expect(['name', 'settings.allowedOrigins.3', 'settings', undefined, 'other'].map(fieldOf)).toEqual([
    ...['name', 'allowedOrigins', null, null, null],
  ]);
});
