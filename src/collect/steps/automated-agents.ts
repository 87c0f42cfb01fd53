/**
 * Programs that run pages as browsers do and that `isbot` 5.2.3 does not know by a name within a browser's user agent: agents of AI services,
 * link previews, monitoring, tests, archives. Names as their operators document them, checked on 25 November 2026.
 */

/** Whole words of a user agent, without version. No browser, device or in-app browser has one of them. */
const names = [
  // Agents of AI services, and what reads pages for them
  ...['AmazonBuyForMe', 'Amzn-User', 'cohere-ai', 'Cotoyogi', 'Devin', 'Gemini-Deep-Research'],
  ...['img2dataset', 'meta-externalfetcher', 'MistralAI-User', 'NovaAct', 'Tavily'],
  // Link previews
  ...[
    'Embedly',
    'facebookcatalog',
    'facebookexternalhit',
    'Iframely',
    'kakaotalk-scrap',
    'vercel-favicon',
    'vercel-screenshot',
  ],
  // Monitoring and audits of sites
  ...[
    'Acunetix',
    'Checkly',
    'CookieYes',
    'GTmetrix',
    'Nessus',
    'Netcraft',
    'NewRelicPinger',
    'Nuclei',
    'OneTrust',
    'Sitebulb',
  ],
  ...['Siteimprove', 'ThousandEyes', 'Uptime-Kuma', 'Zabbix'],
  // Browsers without a person, and tests
  ...[
    'browserless',
    'BrowserStack',
    'Chromatic',
    'HappyDOM',
    'jsdom',
    'LambdaTest',
    'Percy',
    'Puppeteer',
    'Rendertron',
    'SlimerJS',
  ],
  // Search and archives
  ...[
    'Barkrowler',
    'heritrix',
    'netEstate',
    'omgili',
    'Scrapy',
    'Seekport',
    'SiteSucker',
    'WebCopier',
    'Webzio-Extended',
    'Yeti',
  ],
];

const pattern = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'i');

export const automatedAgents: readonly string[] = names;

export function isAutomatedAgent(userAgent: string): boolean {
  return pattern.test(userAgent);
}
