import { rulesVersion } from '#src/collect/steps/channel.ts';
import { rederivedChannel, sourceGroup } from '#src/collect/steps/source.ts';
import { Growth } from '#src/events/growth.ts';

const sent = {
  $referrer: 'https://www.google.com/',
  utm_source: 'news',
  utm_medium: 'email',
  gclid: 'g1',
  $host: 'shop',
};

describe('deriving a stored channel again', () => {
  it('gives what the same properties give when they are sent today', () => {
    const { $host: _, ...own } = sent;
    const group = sourceGroup({ ...own }, sent);
    const stored = { ...group, $channel_type: 'Other', $rules_version: rulesVersion - 1 };
    expect({ ...stored, ...rederivedChannel(stored) }).toEqual(group);
  });

  it('leaves groups by the same rules, by newer ones, and those that do not hold all they were derived from', () => {
    const group = sourceGroup({ gclid: 'g1' }, { gclid: 'g1' });
    expect(rederivedChannel(group)).toBeNull();
    expect(rederivedChannel({ ...group, $rules_version: rulesVersion + 1 })).toBeNull();
    const { kept } = new Growth('source').divide({ ...group, $rules_version: rulesVersion - 1 });
    expect(kept['$channel_type']).toBe('Paid Other');
    expect(rederivedChannel(kept)).toBeNull();
  });
});
