import { aiAssistants } from '#src/collect/steps/ai-assistants.ts';
import { type Channel, channelOf, type Entry, paidClickIds } from '#src/collect/steps/channel.ts';
import { sourceKindOf } from '#src/collect/steps/channel-sources.ts';
import type { JsonObject } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import { finished, testContext } from '../context.ts';

/** The channel and the entry of a page view with these properties. */
function sourceOf(properties: JsonObject): JsonObject {
  return (
    finished({ event: '$pageview', properties: { $lib: 'web', $host: 'loja.example', ...properties } }).groups.source ??
    {}
  );
}

describe('worked examples', () => {
  const entered = (query: string, referrer = '') =>
    sourceOf({ $current_url: `https://loja.example/${query}`, $referrer: referrer })['$channel_type'];
  it.each<[string, string, string, Channel]>([
    ['a newsletter', '?utm_source=newsletter&utm_medium=email', '', 'Email'],
    ['an ad on a social network', '?utm_source=facebook&utm_medium=cpc', '', 'Paid Social'],
    ['an ad on a search', '?gclid=x', 'https://www.google.com/', 'Paid Search'],
    ['WhatsApp', '', 'https://wa.me/', 'Organic Social'],
    ['an assistant', '', 'https://chatgpt.com/', 'AI'],
    ['a source that nobody knows, and no referrer', '?utm_source=foo', '', 'Direct'],
    ['another site', '', 'https://blog.example/post', 'Referral'],
    ['the own site', '', 'https://loja.example/cafe', 'Direct'],
    ['the own site with www', '', 'https://www.loja.example/', 'Direct'],
    ['nothing', '', '', 'Direct'],
  ])('%s', (_name, query, referrer, channel) => {
    expect(entered(query, referrer)).toBe(channel);
  });
});

describe('rules, in order', () => {
  const direct = '$direct';
  it.each<[Entry, Channel]>([
    [{ campaign: 'Summer-CROSS-NETWORK', medium: 'cpc' }, 'Cross Network'],
    [{ medium: 'CPC', source: 'google' }, 'Paid Search'],
    [{ medium: 'paid-social', source: 'instagram' }, 'Paid Social'],
    [{ medium: 'ppc', source: 'youtube' }, 'Paid Video'],
    [{ medium: 'cpc', source: 'mercadolivre' }, 'Paid Shopping'],
    [{ medium: 'cpc', campaign: 'e-shop' }, 'Paid Shopping'],
    [{ medium: 'cpc', campaign: 'workshop', referringDomain: direct }, 'Paid Other'],
    [{ medium: 'paid social', referringDomain: 'www.google.com' }, 'Paid Search'],
    [{ medium: 'cpm', source: 'news.example' }, 'Display'],
    [{ gadSource: 1, referringDomain: direct }, 'Paid Search'],
    [{ gadSource: '2', campaign: 'my video', referringDomain: direct }, 'Paid Video'],
    [{ medium: 'cpa', fbclid: 'x', referringDomain: direct }, 'Paid Social'],
    [{ medium: 'retargeting', referringDomain: direct }, 'Paid Other'],
    [{ referringDomain: direct }, 'Direct'],
    [{ referringDomain: direct, source: '(direct)' }, 'Direct'],
    [{ referringDomain: direct, fbclid: 'x' }, 'Organic Social'],
    [{ source: 'bing' }, 'Organic Search'],
    [{ source: 'sms' }, 'SMS'],
    [{ source: 'claude.ai' }, 'AI'],
    [{ campaign: 'shopping 2026', referringDomain: 'blog.example' }, 'Organic Shopping'],
    [{ medium: 'affiliate', referringDomain: 'www.google.com' }, 'Affiliate'],
    [{ medium: 'link' }, 'Referral'],
    [{ medium: 'e mail' }, 'Email'],
    [{ medium: 'audio' }, 'Audio'],
    [{ medium: 'notification' }, 'Push'],
    [{ medium: 'banner' }, 'Display'],
    [{ medium: 'social-media' }, 'Organic Social'],
    [{ medium: 'video' }, 'Organic Video'],
    [{ referringDomain: 'www.google.com.br' }, 'Organic Search'],
    [{ referringDomain: 'docs.google.com' }, 'Referral'],
    [{ referringDomain: 'mail.google.com' }, 'Email'],
    [{ referringDomain: 'l.instagram.com' }, 'Organic Social'],
    [{ referringDomain: 'produto.mercadolivre.com.br' }, 'Organic Shopping'],
    [{ referringDomain: 'm.youtube.com' }, 'Organic Video'],
    [{ referringDomain: 'www.tabnews.com.br' }, 'Organic Social'],
    [{ campaign: 'a video', referringDomain: 'blog.example' }, 'Organic Video'],
    [{ medium: 'webpush', referringDomain: 'blog.example' }, 'Push'],
    [{ fbclid: 'x', referringDomain: 'blog.example' }, 'Organic Social'],
    [{ medium: 'newsletter', referringDomain: 'blog.example' }, 'Email'],
    [{ source: 'RDStation', medium: 'site' }, 'Email'],
    [{ source: 'mailchimp', referringDomain: direct }, 'Email'],
    [{ medium: 'SMS' }, 'SMS'],
    [{ source: 'zenvia' }, 'SMS'],
    [{ medium: 'push' }, 'Push'],
    [{ medium: 'whatsapp' }, 'Organic Social'],
    [{ referringDomain: 'm365.cloud.microsoft' }, 'AI'],
    [{ referringDomain: 'com.openai.chatgpt' }, 'AI'],
    [{ referringDomain: 'www.kimi.com' }, 'AI'],
    [{ referringDomain: 'www.microsoft.com' }, 'Referral'],
    [{ clickIds: ['msclkid'], referringDomain: 'www.google.com' }, 'Paid Search'],
    [{ clickIds: ['gclid', 'ttclid'], referringDomain: direct }, 'Paid Social'],
    [{ clickIds: ['gbraid'], gadSource: '1', referringDomain: direct }, 'Paid Search'],
    [{}, 'Other'],
  ])('%j: %s', (entry, channel) => {
    expect(channelOf(entry)).toBe(channel);
  });

  it('names are not parts of other names', () => {
    expect(sourceKindOf('notfacebook.com')).toBeNull();
    expect(sourceKindOf('facebook.com.evil.example')).toBeNull();
    expect(sourceKindOf('com.br')).toBeNull();
    expect(sourceKindOf('$direct')).toBeNull();
  });
});

describe('a tagged address', () => {
  const entered = (query: string, more: JsonObject = {}) =>
    sourceOf({ $current_url: `https://loja.example/p?x=1&${query}`, $referrer: '', ...more })['$channel_type'];

  it.each(Object.entries(paidClickIds))('with %s is paid: %s', (name, channel) => {
    expect(entered(`${name}=abc`)).toBe(channel);
    expect(entered(`${name}=`)).toBe('Direct');
    // As current clients say it, which look for most of them by themselves.
    const asSaid = { utm_source: null, $session_entry_url: `https://loja.example/p?${name}=abc` };
    expect(entered('', { ...asSaid, [`$session_entry_${name}`]: 'abc', $session_entry_referrer: '$direct' })).toBe(
      channel,
    );
  });

  it('is paid by the click ids that clients overlook', () => {
    const said = { utm_source: null, $session_entry_referrer: '$direct', $session_entry_referring_domain: '$direct' };
    const source = sourceOf({
      ...said,
      $session_entry_url: 'https://loja.example/?ScCid=a%20b',
      $current_url: 'https://loja.example/2',
    });
    expect(source).toMatchObject({ $session_entry_ScCid: 'a b', $channel_type: 'Paid Social' });
  });

  it.each(aiAssistants.trim().split(/\s+/))('from %s is from an assistant', (name) => {
    expect(entered(`utm_source=${name}`)).toBe('AI');
    if (name.includes('.')) {
      expect(entered('', { $referrer: `https://${name}/chat` })).toBe('AI');
      expect(entered('', { $referrer: `android-app://${name}/` })).toBe('AI');
    }
  });
});

describe('a referrer that is no site', () => {
  it.each([
    ['android-app://com.google.android.gm/', 'com.google.android.gm', 'Email'],
    ['ios-app://544007664/youtube/watch', 'youtube.com', 'Organic Video'],
    ['ios-app://999999999/', '$direct', 'Direct'],
    ['chrome-extension://kdjfhglkjhdfg/popup.html', '$direct', 'Direct'],
    ['moz-extension://2f0c/x', '$direct', 'Direct'],
    ['file:///C:/mail.html', '$direct', 'Direct'],
    ['about:blank', '$direct', 'Direct'],
    ['data:text/html,x', '$direct', 'Direct'],
    ['blob:https://a.example/1', '$direct', 'Direct'],
  ])('%s is %s', ($referrer, domain, channel) => {
    expect(sourceOf({ $referrer })).toMatchObject({
      $session_entry_referring_domain: domain,
      $channel_type: channel,
    });
    // As current clients say it: the domain is what their parser took for one.
    const host = URL.parse($referrer)?.host || '$direct';
    const said = { utm_source: null, $session_entry_referrer: $referrer, $session_entry_referring_domain: host };
    expect(sourceOf(said)).toMatchObject({ $session_entry_referring_domain: domain, $channel_type: channel });
    // And older ones.
    expect(sourceOf({ $referrer, $referring_domain: host })).toMatchObject({
      $session_entry_referring_domain: domain,
      $channel_type: channel,
    });
  });

  it('is never a number, of whichever scheme', () => {
    const referrers = fc
      .tuple(
        fc.constantFrom('android-app', 'ios-app', 'app', 'market', 'com.shop.app', 'foo'),
        fc.nat(),
        fc.option(fc.integer({ min: 1, max: 9999 })),
        fc.constantFrom('', '/', '/a?b=1'),
      )
      .map(([scheme, number, port, path]) => `${scheme}://${number}${port === null ? '' : `:${port}`}${path}`);
    fc.assert(
      fc.property(referrers, fc.boolean(), ($referrer, isNewClient) => {
        const domain = URL.parse($referrer)?.host || '$direct';
        const sent = isNewClient
          ? { utm_source: null, $session_entry_referrer: $referrer, $session_entry_referring_domain: domain }
          : { $referrer, $referring_domain: domain };
        expect(sourceOf(sent)['$session_entry_referring_domain']).not.toMatch(/^\d+(:\d+)?$/);
      }),
    );
  });

  it.each(['544007664', 544007664])('is no domain when only its number is known: %p', (number) => {
    expect(sourceOf({ $referring_domain: number })).toMatchObject({ $session_entry_referring_domain: 'youtube.com' });
    expect(sourceOf({ $referring_domain: `${number}1` })).toMatchObject({ $session_entry_referring_domain: '$direct' });
  });
});

describe('how the visit was entered', () => {
  it('counts, not what the browser remembers from before', () => {
    const source = sourceOf({
      utm_source: 'newsletter',
      utm_medium: 'email',
      $referrer: 'https://www.google.com/',
      $referring_domain: 'www.google.com',
      $session_entry_url: 'https://loja.example/',
      $session_entry_referrer: '$direct',
      $session_entry_referring_domain: '$direct',
    });
    expect(source).toMatchObject({
      utm_source: 'newsletter',
      $referring_domain: 'www.google.com',
      $channel_type: 'Direct',
    });
    expect(source).not.toHaveProperty('$session_entry_utm_source');
  });

  it('is filled in for clients that do not send it', () => {
    expect(
      sourceOf({ utm_source: 'foo', $referrer: 'https://blog.example/p', $referring_domain: 'blog.example' }),
    ).toMatchObject({
      $session_entry_utm_source: 'foo',
      $session_entry_referrer: 'https://blog.example/p',
      $session_entry_referring_domain: 'blog.example',
      $channel_type: 'Referral',
    });
  });

  it.each([
    ['checkout.pay.example', 'https://checkout.pay.example/done', '$direct', 'Direct'],
    ['the domain itself, with www', 'https://www.pay.example:8443/', '$direct', 'Direct'],
    ['another that ends alike', 'https://mypay.example/', 'mypay.example', 'Referral'],
    ['a search engine', 'https://www.google.com/', 'www.google.com', 'Organic Search'],
  ])('is direct from domains that the project does not count: %s', (_, $referrer, domain, channel) => {
    const sent = { $lib: 'web', $host: 'loja.example', $current_url: 'https://loja.example/obrigado', $referrer };
    const source = (properties: object, ignoredReferrers: string[] = ['pay.example', 'other.example']) =>
      finished({ properties: properties as JsonObject }, testContext({ settings: { ignoredReferrers } })).groups.source;
    expect(source(sent)).toMatchObject({ $referrer, $session_entry_referring_domain: domain, $channel_type: channel });
    const entry = { $session_entry_referrer: $referrer, $session_entry_referring_domain: new URL($referrer).host };
    expect(source({ ...sent, $referrer: '$direct', ...entry })).toMatchObject({
      ...{ $session_entry_referring_domain: domain, $channel_type: channel },
    });
    expect(source(sent, [])).toMatchObject({ $session_entry_referring_domain: new URL($referrer).host });
    // A campaign counts from any referrer.
    const campaign = { $current_url: 'https://loja.example/?utm_source=news&utm_medium=email' };
    expect(source({ ...sent, ...campaign })).toMatchObject({ $channel_type: 'Email' });
  });

  it('follows the list as it is now, though the same was sent before', () => {
    const sent = { $lib: 'web', $host: 'loja.example', $referrer: 'https://pay.example/' };
    const context = testContext();
    const domains = [[], ['pay.example'], ['pay.example'], ['gone.example'], []].map((ignoredReferrers) => {
      const settings = { ...context.project.settings, ignoredReferrers };
      const { groups } = finished({ properties: sent }, { ...context, project: { ...context.project, settings } });
      return groups.source?.['$session_entry_referring_domain'];
    });
    expect(domains).toEqual(['pay.example', '$direct', '$direct', 'pay.example', 'pay.example']);
  });

  it('is direct from the own site, regardless of the referrer', () => {
    const source = sourceOf({ $referrer: 'https://loja.example/x', $referring_domain: 'loja.example' });
    expect(source).toMatchObject({ $referring_domain: 'loja.example', $session_entry_referring_domain: '$direct' });
  });

  it('is read from the address for clients that do not look', () => {
    const source = sourceOf({ $current_url: 'https://loja.example/?utm_source=tabnews&fbclid=f&x=1', $referrer: '' });
    expect(source).toMatchObject({ utm_source: 'tabnews', fbclid: 'f', $channel_type: 'Organic Social' });
  });

  it('is not read from the address for clients that do', () => {
    const source = sourceOf({ $current_url: 'https://loja.example/?utm_source=old', utm_source: null });
    expect(source).not.toHaveProperty('utm_source');
  });

  it('is no matter for servers', () => {
    expect(finished({ properties: { $lib: 'posthog-node' } }).groups.source).toBeUndefined();
  });
});
