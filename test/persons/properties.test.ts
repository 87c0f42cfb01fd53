import {
  applyChange,
  type ChangeKind,
  decodeProperties,
  encodeProperties,
  mergeProperties,
  type PropertyState,
} from '#src/persons/properties.ts';

type Said = [kind: ChangeKind, ts: number, value?: string | null | undefined, via?: number];

function stateOf(...said: Said[]): PropertyState {
  const state: PropertyState = new Map();
  for (const [kind, ts, value, via] of said) {
    applyChange(state, 'k', value, { kind, ts, uuid: String(ts), via: via === undefined ? [] : [via] });
  }
  return state;
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe('one property, in any order of arrival', () => {
  it.each<[string, Said[], string | undefined]>([
    [
      'the latest $set wins',
      [
        ['set', 1, 'a'],
        ['set', 3, 'c'],
        ['set', 2, 'b'],
      ],
      'c',
    ],
    [
      'the earliest $set_once wins',
      [
        ['once', 2, 'b'],
        ['once', 1, 'a'],
        ['once', 3, 'c'],
      ],
      'a',
    ],
    [
      '$set wins over $set_once, before or after it',
      [
        ['once', 1, 'a'],
        ['set', 2, 'b'],
        ['once', 3, 'c'],
      ],
      'b',
    ],
    [
      '$unset removes what is older',
      [
        ['set', 1, 'a'],
        ['once', 2, 'b'],
        ['unset', 3],
      ],
      undefined,
    ],
    [
      '$set to null clears what is older, and no $set_once fills it',
      [
        ['set', 1, 'a'],
        ['set', 2, null],
        ['once', 3, 'c'],
      ],
      undefined,
    ],
    [
      '$set after $set to null stays',
      [
        ['set', 1, 'a'],
        ['set', 2, null],
        ['set', 3, 'c'],
      ],
      'c',
    ],
    [
      'no $set_once fills what was null at first',
      [
        ['once', 1, null],
        ['once', 2, 'b'],
      ],
      undefined,
    ],
    [
      '$set fills what was null at first',
      [
        ['once', 1, null],
        ['set', 2, 'b'],
      ],
      'b',
    ],
    [
      '$set after $unset stays',
      [
        ['set', 1, 'a'],
        ['unset', 2],
        ['set', 3, 'c'],
      ],
      'c',
    ],
    [
      'a merge fills a gap with the latest $set of the other',
      [
        ['set', 1, 'a', 9],
        ['set', 2, 'b', 9],
      ],
      'b',
    ],
    [
      'a merge does not overwrite',
      [
        ['set', 1, 'own'],
        ['set', 5, 'other', 9],
      ],
      'own',
    ],
    [
      'a merge does not overwrite a $set_once',
      [
        ['once', 1, 'own'],
        ['set', 5, 'other', 9],
      ],
      'own',
    ],
    [
      '$set after a merge wins',
      [
        ['set', 5, 'other', 9],
        ['set', 10, 'own'],
      ],
      'own',
    ],
    [
      '$set_once after a merge does not',
      [
        ['set', 5, 'other', 9],
        ['once', 10, 'own'],
      ],
      'other',
    ],
    [
      'of two merges the first fills the gap',
      [
        ['set', 8, 'second', 12],
        ['once', 2, 'first', 9],
      ],
      'first',
    ],
    [
      'the other removed it before the merge',
      [
        ['set', 1, 'other', 9],
        ['unset', 2, undefined, 9],
      ],
      undefined,
    ],
    [
      'a removal fills no gap',
      [
        ['unset', 2, undefined, 9],
        ['once', 10, 'own'],
      ],
      'own',
    ],
    [
      '$unset before a merge leaves a gap to fill',
      [
        ['unset', 3],
        ['set', 1, 'other', 9],
      ],
      'other',
    ],
    [
      '$unset after a merge removes what it brought',
      [
        ['unset', 10],
        ['set', 1, 'other', 9],
      ],
      undefined,
    ],
  ])('%s', (_, said, wanted) => {
    for (const order of permutations(said)) expect(stateOf(...order).get('k')?.value).toBe(wanted);
  });

  it('is set once again after $unset, when they come in order', () => {
    expect(stateOf(['set', 1, 'a'], ['unset', 2], ['once', 3, 'c']).get('k')?.value).toBe('c');
  });

  it('decides between equal times by uuid', () => {
    for (const order of permutations(['u1', 'u2', 'u3'])) {
      const [set, once]: PropertyState[] = [new Map(), new Map()];
      for (const uuid of order) {
        applyChange(set as PropertyState, 'k', uuid, { kind: 'set', ts: 1, uuid, via: [] });
        applyChange(once as PropertyState, 'k', uuid, { kind: 'once', ts: 1, uuid, via: [] });
      }
      expect([set?.get('k')?.value, once?.get('k')?.value]).toEqual(['u3', 'u1']);
    }
  });

  it('tells whether the value became another one', () => {
    const state = stateOf(['set', 1, 'a']);
    const at = (ts: number) => ({ kind: 'set', ts, uuid: '', via: [] }) as const;
    expect(applyChange(state, 'k', 'a', at(2))).toBe(false);
    expect(applyChange(state, 'k', 'b', at(1))).toBe(false);
    expect(applyChange(state, 'k', { a: [1] }, at(3))).toBe(true);
    expect(applyChange(state, 'k', { a: [1] }, at(4))).toBe(false);
  });
});

describe('a merge of two persons', () => {
  const merged = (target: PropertyState, other: PropertyState, at: number) => {
    mergeProperties(target, other, [at]);
    return target.get('k')?.value;
  };

  it.each<[string, Said[], Said[], string | undefined]>([
    ['fills gaps', [], [['set', 1, 'other']], 'other'],
    ['keeps what the target has', [['once', 1, 'own']], [['set', 2, 'other']], 'own'],
    [
      'takes what was said under the other id after the merge as said directly',
      [['set', 3, 'own']],
      [['set', 7, 'other']],
      'other',
    ],
    ['brings no removal', [['once', 1, 'own']], [['unset', 2]], 'own'],
  ])('%s', (_, target, other, wanted) => {
    expect(merged(stateOf(...target), stateOf(...other), 5)).toBe(wanted);
  });
});

describe('as stored', () => {
  it('comes back the same, with the largest group of names left out', () => {
    const state: PropertyState = new Map();
    for (const name of ['$initial_browser', '$initial_os', '$initial_referrer', '__proto__']) {
      applyChange(state, name, 'x', { kind: 'once', ts: 5, uuid: 'u', via: [] });
    }
    applyChange(state, 'plan', { name: 'pro' }, { kind: 'set', ts: 9, uuid: 'v', via: [] });
    applyChange(state, 'gone', undefined, { kind: 'unset', ts: 9, uuid: 'v', via: [7] });
    const stored = JSON.parse(JSON.stringify(encodeProperties(state)));
    expect(stored.stamps).toEqual([
      ['once', 5, 'u', [], null],
      ['set', 9, 'v', [], ['plan']],
      ['unset', 9, 'v', [7], ['gone']],
    ]);
    const back = decodeProperties(stored.properties, stored.stamps);
    expect(new Map([...back].sort())).toEqual(new Map([...state].sort()));
    expect(JSON.parse(JSON.stringify(encodeProperties(back)))).toEqual(stored);
  });

  it.each(['__proto__', 'constructor'])('a removed %s stays removed', (name) => {
    const state: PropertyState = new Map();
    applyChange(state, name, undefined, { kind: 'unset', ts: 9, uuid: 'v', via: [] });
    const { properties, stamps } = encodeProperties(state);
    const back = decodeProperties(properties, stamps);
    expect(back.get(name)?.value).toBeUndefined();
    expect(Object.keys(encodeProperties(back).properties)).toEqual([]);
  });

  it('has no nulls, and knows that they were set', () => {
    const state: PropertyState = new Map();
    const first = { kind: 'once', ts: 5, uuid: 'u', via: [] } as const;
    applyChange(state, '$initial_os', 'Linux', first);
    for (const name of ['$initial_utm_source', '$initial_gclid', 'constructor']) applyChange(state, name, null, first);
    const stored = JSON.parse(JSON.stringify(encodeProperties(state)));
    expect(stored).toEqual({
      properties: { $initial_os: 'Linux' },
      stamps: [
        ['once', 5, 'u', [], null],
        ['once', 5, 'u', [], ['$initial_gclid', '$initial_utm_source', 'constructor']],
      ],
    });
    const back = decodeProperties(stored.properties, stored.stamps);
    expect(new Map([...back].sort())).toEqual(new Map([...state].sort()));
    expect(applyChange(back, '$initial_utm_source', 'newsletter', { ...first, ts: 6 })).toBe(false);
  });

  it('drops nulls that older versions stored', () => {
    const back = decodeProperties({ a: null, b: 1 }, [['set', 5, 'u', [], null]]);
    expect(encodeProperties(back)).toEqual({
      properties: { b: 1 },
      stamps: [
        ['set', 5, 'u', [], null],
        ['set', 5, 'u', [], ['a']],
      ],
    });
  });

  it('reads rows without stamps as older than anything', () => {
    const state = decodeProperties({ plan: 'old' }, []);
    applyChange(state, 'plan', 'new', { kind: 'set', ts: 1, uuid: '', via: [] });
    expect(state.get('plan')?.value).toBe('new');
  });
});
