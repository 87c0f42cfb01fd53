import { inGroups } from '#views/kit/use-options.ts';

it('keeps a group together where its first option stands, and says where each group begins', () => {
  const options = [
    { name: 'a', group: 'one' },
    { name: 'b', group: 'two' },
    { name: 'c', group: 'one' },
    { name: 'd' },
  ];
  const groups = inGroups(options).map(({ group, from, items }) => [
    group,
    from,
    items.map(({ name }) => name).join(''),
  ]);
  expect(groups).toEqual([
    ['one', 0, 'ac'],
    ['two', 2, 'b'],
    ['', 3, 'd'],
  ]);
});
