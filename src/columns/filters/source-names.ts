/**
 * Sources by name: the `utm_source` values, domains and Android packages of a service, so that `l.instagram.com`, `ig` and the app are one
 * row. Written on 26 November 2026 from well-known domains and app ids, without asking the services. What has no name here keeps its domain,
 * without `www.`, `m.` and the like. Pure; also as SQL (filter-sql.ts), which tests hold to the same.
 */

/** Lower case. A name in lower case stands for itself. Domains mean all hosts below them, unless a longer one says otherwise. */
const lists: Readonly<Record<string, string>> = {
  Google:
    'google.com googleads adwords google-ads google_ads com.google.android.googlequicksearchbox com.google.android.gms',
  'Google Shopping': 'googleshopping google-shopping shopping.google.com',
  Bing: 'bing.com bingads bing-ads',
  Yahoo: 'yahoo.com',
  DuckDuckGo: 'duckduckgo.com ddg',
  Ecosia: 'ecosia.org',
  Baidu: 'baidu.com',
  Yandex: 'ya.ru yandex.com',
  Naver: 'naver.com',
  Seznam: 'seznam.cz',
  Startpage: 'startpage.com',
  Qwant: 'qwant.com',
  Brave: 'search.brave.com',
  Kagi: 'kagi.com',
  Sogou: 'sogou.com',
  AOL: 'aol.com',
  'Ask.com': 'ask ask.com',
  Lycos: 'lycos.com',
  Daum: 'daum.net',
  '360 Search': 'so so.com',
  Presearch: 'presearch.com',
  Mojeek: 'mojeek.com',
  Swisscows: 'swisscows.com',
  Dogpile: 'dogpile.com',
  MetaGer: 'metager.org metager.de',
  Facebook: 'fb facebook-ads facebookads facebook.com fb.com fb.me com.facebook.katana com.facebook.lite',
  Instagram: 'ig instagram-ads igshopping instagram.com com.instagram.android',
  Messenger: 'messenger.com m.me com.facebook.orca',
  Threads: 'threads.net threads.com com.instagram.barcelona',
  WhatsApp: 'wa whatsapp.com wa.me com.whatsapp com.whatsapp.w4b',
  Telegram: 'tg telegram.org telegram.me t.me org.telegram.messenger',
  LinkedIn: 'linkedin-ads lnkd linkedin.com lnkd.in com.linkedin.android',
  X: 'twitter twitter.com x.com t.co com.twitter.android',
  Pinterest: 'pinterest.com pin.it com.pinterest',
  Reddit: 'reddit.com redd.it com.reddit.frontpage',
  TikTok: 'tiktok-ads tiktok.com com.zhiliaoapp.musically',
  Snapchat: 'snapchat.com com.snapchat.android',
  Bluesky: 'bsky bsky.app',
  Mastodon: 'mastodon.social',
  Tumblr: 'tumblr.com',
  VK: 'vk.com',
  Weibo: 'weibo.com',
  WeChat: 'weixin.qq.com',
  Quora: 'quora.com',
  'Hacker News': 'hackernews news.ycombinator news.ycombinator.com',
  'Product Hunt': 'producthunt producthunt.com',
  Kwai: 'kwai.com',
  TabNews: 'tabnews.com.br',
  Orkut: 'orkut.com',
  Meetup: 'meetup.com',
  LINE: 'line.me',
  Discord: 'discord.com discord.gg com.discord',
  GitHub: 'github.com',
  Wikipedia: 'wikipedia.org',
  YouTube: 'yt youtube.com youtu.be com.google.android.youtube',
  Vimeo: 'vimeo.com',
  Twitch: 'twitch.tv',
  Dailymotion: 'dailymotion.com',
  Netflix: 'netflix.com',
  Hulu: 'hulu.com',
  'Disney+': 'disneyplus disneyplus.com',
  Bilibili: 'bilibili.com',
  Rumble: 'rumble.com',
  Amazon: 'amazon.com',
  eBay: 'ebay.com',
  Etsy: 'etsy.com',
  Shopify: 'shopify.com',
  Walmart: 'walmart.com',
  AliExpress: 'aliexpress.com',
  Alibaba: 'alibaba.com',
  Temu: 'temu.com',
  Shein: 'shein.com',
  'Mercado Livre': 'mercadolivre mercadolibre mercadolivre.com.br mercadolibre.com',
  Magalu: 'magazineluiza magalu.com magazineluiza.com.br',
  Shopee: 'shopee.com',
  Americanas: 'americanas.com.br',
  'Casas Bahia': 'casasbahia casasbahia.com.br',
  OLX: 'olx.com.br',
  Enjoei: 'enjoei.com.br',
  Buscapé: 'buscape buscape.com.br',
  Zoom: 'zoom.com.br',
  Gmail: 'mail.google.com com.google.android.gm',
  Outlook: 'outlook.live.com outlook.office.com outlook.office365.com com.microsoft.office.outlook',
  'Yahoo Mail': 'mail.yahoo.com',
  'Proton Mail': 'mail.proton.me',
  'UOL Mail': 'webmail.uol.com.br email.uol.com.br mail.uol.com.br',
  'BOL Mail': 'email.bol.uol.com.br bol.uol.com.br',
  'Terra Mail': 'webmail.terra.com.br mail.terra.com.br',
  Mailchimp: 'mailchimp.com',
  'RD Station': 'rdstation rd_station rd-station rdstationmarketing rdstation.com.br',
  HubSpot: 'hubspot.com',
  Brevo: 'sendinblue brevo.com',
  ActiveCampaign: 'active_campaign activecampaign.com',
  Substack: 'substack.com',
  ChatGPT: 'chatgpt.com openai openai.com chat.openai.com com.openai.chatgpt',
  Claude: 'claude.ai anthropic com.anthropic.claude',
  Perplexity: 'perplexity.ai perplexity-ai ai.perplexity.app.android',
  Gemini: 'gemini.google.com bard.google.com com.google.android.apps.bard',
  NotebookLM: 'notebooklm.google.com',
  Copilot:
    'copilot.com copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft m365copilot.com com.microsoft.copilot',
  DeepSeek: 'deepseek.com com.deepseek.chat',
  Grok: 'grok.com ai.x.grok',
  'Meta AI': 'meta.ai com.facebook.stella',
  Mistral: 'mistral.ai ai.mistral.chat',
  Qwen: 'qwen.ai tongyi.aliyun.com qianwen.com',
  Kimi: 'kimi.com kimi.ai kimi.moonshot.cn com.moonshot.kimichat',
  Doubao: 'doubao.com com.larus.nova',
  ChatGLM: 'chatglm.cn',
  'Z.ai': 'z.ai',
  'ERNIE Bot': 'yiyan.baidu.com ernie.baidu.com',
  Yuanbao: 'yuanbao.tencent.com',
  Poe: 'poe.com',
  'You.com': 'you.com',
  Phind: 'phind.com',
  'Duck.ai': 'duck.ai',
  Lumo: 'lumo.proton.me',
  Genspark: 'genspark.ai',
  Manus: 'manus.im',
  Felo: 'felo.ai',
  iAsk: 'iask.ai',
  Andi: 'andisearch.com',
  Komo: 'komo.ai',
  Pi: 'pi.ai',
  'Character.AI': 'character.ai',
  Maritaca: 'chat.maritaca.ai',
};

/** Referring domain of direct traffic, as clients send it. */
export const DIRECT = '$direct';

const names = new Map<string, string>();
for (const [name, said] of Object.entries(lists)) {
  for (const key of [name.toLowerCase(), ...said.split(' ')]) if (key !== '') names.set(key, name);
}
for (const said of ['direct', '(direct)', DIRECT]) names.set(said, DIRECT);

/** Names by source, for SQL. */
export const sourceNames: Readonly<Record<string, string>> = Object.fromEntries(names);

/** Host prefixes that are no separate sources; a domain must remain. The same in JavaScript and PostgreSQL. */
export const SITE_HOST = '^(?:www|m|mobile|l|lm|amp)\\.(?=[^.]+\\.)';
export const PORT = ':[0-9]+$';
/** Services with a domain in every country: `google.com.br` is `google`. */
export const NATIONAL =
  '(?:^|\\.)(google|yandex|yahoo|bing|amazon|ebay|pinterest|shopee)\\.(?:com|(?:com?\\.)?[a-z]{2})$';

const siteHost = new RegExp(SITE_HOST);
const port = new RegExp(PORT);
const national = new RegExp(NATIONAL);

/** @param said a campaign source or domain, in any case */
export function sourceName(said: string): string {
  const host = said.toLowerCase().replace(port, '');
  for (let key = host; key !== ''; key = parentOf(key)) {
    const name = names.get(key);
    if (name !== undefined) return name;
  }
  return names.get(national.exec(host)?.[1] ?? '') ?? host.replace(siteHost, '');
}

/** The domain above; '' when that is a top-level domain. */
function parentOf(host: string): string {
  const parent = host.slice(host.indexOf('.') + 1);
  return host.includes('.') && parent.includes('.') ? parent : '';
}
