/** User agents: bots, and in-app browsers. */
import { createLookups, describeDevice } from '#src/collect/lookups.ts';
import { automatedAgents } from '#src/collect/steps/automated-agents.ts';
import { CHROME, finished } from './context.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-S921B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36';

const inApps: [app: string, userAgent: string][] = [
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 406.0.0.27.84 (iPhone16,1; iOS 18_1; pt_BR)`],
  ['Facebook', `${ANDROID} [FB_IAB/FB4A;FBAV/460.0.0.1;]`],
  ['Messenger', `${ANDROID} [FB_IAB/Orca-Android;FBAV/460.0.0.1;]`],
  ['TikTok', `${ANDROID} musical_ly_2023501030 app_version/35.1.3`],
  ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30`],
  ['WhatsApp', `${IPHONE} Mobile/15E148 WAiOS/24.10`],
  ['Pinterest', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ['Google', `${IPHONE} GSA/340.0 Mobile/15E148 Safari/604.1`],
];

it.each(automatedAgents)(
  '%s is a program, wherever its name stands; a browser with a part of it is none',
  async (name) => {
    const { isBot } = await createLookups();
    expect(isBot(`${CHROME} ${name}/1.0`)).toBe(true);
    expect(isBot(`Mozilla/5.0 (compatible; ${name}; +https://example.com) Chrome/131.0.0.0 Safari/537.36`)).toBe(true);
    expect(isBot(`${CHROME} x${name}y`)).toBe(false);
  },
);

it.each(inApps)('%s is a browser of people, by name', async (app, userAgent) => {
  expect((await createLookups()).isBot(userAgent)).toBe(false);
  expect(describeDevice(userAgent)).toMatchObject({ $webview_app: app });
});

it('takes the app from the client, else from the user agent that it reports, and from none for others', () => {
  const device = (properties: object) =>
    finished({ properties: { $lib: 'web', $browser: 'Chrome', ...properties } }).groups.device;
  const [[, instagram = ''] = []] = inApps;
  expect(device({ $raw_user_agent: instagram })).toMatchObject({ $webview_app: 'Instagram', $browser: 'Chrome' });
  expect(device({ $raw_user_agent: instagram, $webview_app: 'Threads' })).toMatchObject({ $webview_app: 'Threads' });
  expect(device({ $raw_user_agent: CHROME, $webview_app: '' })).not.toHaveProperty('$webview_app');
});
