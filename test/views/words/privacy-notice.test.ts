/** The privacy notice is true for all settings. */

import type { PrivacyOverview } from '#src/privacy/contract.ts';
import { forwardingOf } from '#src/privacy/privacy.ts';
import fc from '#test/kit/fast-check.ts';
import { type CountingWay, privacyNotice } from '#views/words/privacy-notice.ts';

type Settings = PrivacyOverview['settings'];
const host = 'analytics.example';

const settings: fc.Arbitrary<Settings> = fc.record({
  cookieless: fc.boolean(),
  ipHandling: fc.constantFrom('none' as const, 'truncated' as const, 'full' as const),
  retentionDays: fc.option(fc.integer({ min: 7, max: 999 })),
  respectDnt: fc.boolean(),
  autocapture: fc.boolean(),
  exceptionCapture: fc.boolean(),
  webVitals: fc.boolean(),
  heatmaps: fc.boolean(),
  replay: fc.option(
    fc.record({
      isSample: fc.boolean(),
      masksText: fc.boolean(),
      console: fc.boolean(),
      network: fc.boolean(),
      retentionDays: fc.integer({ min: 1, max: 365 }),
    }),
  ),
  forwarding: fc.option(
    fc.record({ mode: fc.constantFrom('relay' as const, 'mirror' as const), host: fc.constant(host) }),
  ),
});
const ways = fc.constantFrom<CountingWay>('cookieless', 'consent');

/** What a notice says, by language; null: it must say nothing of it. */
const says = {
  en: {
    notShared: /do not .*share it with other companies/,
    copy: /A copy.* is sent to/,
    relayed: /forward the data to/,
    noCookies: /do not use cookies/,
    cookie: /identifier is stored on your device/,
    ipDiscarded: /then discarded\. We do not store it/,
    ipTruncated: /only in truncated form/,
    ipFull: /store it with each event|full IP address is forwarded/,
    days: /deleted after (\d+) days/,
    recorded: /Recordings are kept for (\d+) days/,
    textMasked: /text of the pages is masked/,
    doNotTrack: /Do Not Track/,
    clicks: /buttons, links and forms/,
    errors: /errors that occur/,
    speed: /how fast pages load/,
    heatmaps: /where on a page you click/,
    legitimateInterest: /legitimate interest/,
    withdraw: /withdraw it at any time/,
    always: [/^DRAFT/, /Controller: \[/, /Data protection officer/, /LGPD Art\. 18/, /ANPD/, /objection/],
  },
  'pt-BR': {
    notShared: /Não .*compartilhamos com outras empresas/,
    copy: /Uma cópia.* é enviada para/,
    relayed: /encaminham os dados para/,
    noCookies: /Não usamos cookies/,
    cookie: /identificador aleatório no seu dispositivo/,
    ipDiscarded: /descartamos em seguida, sem armazená-lo/,
    ipTruncated: /apenas de forma truncada/,
    ipFull: /armazenamos em cada evento|endereço IP completo é encaminhado/,
    days: /eliminados após (\d+) dias/,
    recorded: /gravações ficam guardadas por (\d+) dias/,
    textMasked: /texto das páginas também é mascarado/,
    doNotTrack: /Do Not Track/,
    clicks: /botões, links e formulários/,
    errors: /erros que ocorrem/,
    speed: /velocidade com que as páginas/,
    heatmaps: /onde você clica e até onde rola/,
    legitimateInterest: /legítimo interesse/,
    withdraw: /revogar a qualquer momento/,
    always: [/^RASCUNHO/, /Controlador: \[/, /Encarregado \(DPO\)/, /LGPD, art\. 18/, /ANPD/, /oposição/],
  },
} as const;

describe.each(['en', 'pt-BR'] as const)('the privacy notice in %s', (language) => {
  const words = says[language];

  it('is true of the settings in force', () => {
    fc.assert(
      fc.property(settings, ways, (set, way) => {
        const notice = privacyNotice(language, way, set);
        const mode = set.forwarding?.mode ?? 'store';
        const said = (pattern: RegExp) => pattern.test(notice);
        for (const pattern of words.always) expect(notice).toMatch(pattern);
        expect(said(words.notShared)).toBe(mode === 'store');
        expect(notice.includes(host)).toBe(mode !== 'store');
        expect(said(words.copy)).toBe(mode === 'mirror');
        expect(said(words.relayed)).toBe(mode === 'relay');
        expect(said(words.noCookies)).toBe(mode !== 'relay' && way === 'cookieless');
        expect(said(words.cookie)).toBe(mode !== 'relay' && way === 'consent');
        expect(said(words.ipDiscarded)).toBe(mode !== 'relay' && set.ipHandling === 'none');
        expect(said(words.ipTruncated)).toBe(mode !== 'relay' && set.ipHandling === 'truncated');
        expect(said(words.ipFull)).toBe(mode === 'relay' || set.ipHandling === 'full');
        const days = words.days.exec(notice)?.[1] ?? null;
        expect(days).toBe(mode === 'relay' || set.retentionDays === null ? null : String(set.retentionDays));
        const recorded = mode === 'relay' ? null : set.replay;
        expect(words.recorded.exec(notice)?.[1] ?? null).toBe(
          recorded === null ? null : String(recorded.retentionDays),
        );
        expect(said(words.textMasked)).toBe(recorded?.masksText === true);
        expect(said(words.doNotTrack)).toBe(mode !== 'relay' && set.respectDnt);
        expect(said(words.clicks)).toBe(mode !== 'relay' && set.autocapture);
        expect(said(words.errors)).toBe(mode !== 'relay' && set.exceptionCapture);
        expect(said(words.speed)).toBe(mode !== 'relay' && set.webVitals);
        expect(said(words.heatmaps)).toBe(mode !== 'relay' && set.heatmaps);
        expect(said(words.legitimateInterest)).toBe(way === 'cookieless');
        expect(said(words.withdraw)).toBe(way === 'consent');
      }),
    );
  });

  it('does not call the article on international transfers a legal basis', () => {
    const set: Settings = { ...fc.sample(settings, 1)[0], forwarding: { mode: 'mirror', host } } as Settings;
    const [basis] = privacyNotice(language, 'consent', set)
      .split('\n\n')
      .filter((text) => /^(Legal basis|Base legal)/.test(text));
    expect(basis).not.toMatch(/33/);
  });
});

it.each([
  [{}, null],
  [{ PUBLIC_POSTHOG_HOST: 'https://analytics.example/path' }, { mode: 'relay', host }],
  [
    { PUBLIC_POSTHOG_HOST: 'https://analytics.example', INGEST_MODE: 'mirror' },
    { mode: 'mirror', host },
  ],
])('learns from the configuration %j where events are forwarded to', (config, expected) => {
  expect(forwardingOf({ INGEST_MODE: 'store', ...config } as never)).toEqual(expected);
});
