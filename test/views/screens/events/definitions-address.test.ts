import { askedAddress, definitionsInput, readAsked } from '#views/screens/events/definitions-address.ts';

describe('the list of definitions', () => {
  it.each(['', '?kind=property', '?sort=name', '?kind=property&sort=lastSeen&search=paid+at&page=3&open=%24pathname'])(
    '%s stands in the address',
    (text) => {
      expect(askedAddress('7', readAsked(new URLSearchParams(text)))).toBe(`/project/7/events/definitions${text}`);
    },
  );

  it.each(['0', '-1', '1e3', 'x', '99999'])('%s is no page of its own', (page) => {
    expect(definitionsInput('7', readAsked(new URLSearchParams({ page })))).toEqual({ project: '7', kind: 'event' });
  });
});
