/**
 * Names and domains that say what kind of place a visit came from. Compared as a whole name (`utm_source=facebook`), and as a
 * domain with its parents (`m.facebook.com` is `facebook.com`).
 */

import { aiAssistants } from './ai-assistants.ts';

export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'email' | 'sms' | 'push' | 'ai';

const lists: Record<SourceKind, string> = {
  search: `
    google bing yahoo duckduckgo ecosia baidu yandex naver seznam startpage qwant brave kagi sogou aol ask lycos daum so presearch
    mojeek swisscows dogpile metager
    bing.com duckduckgo.com ecosia.org baidu.com naver.com seznam.cz startpage.com qwant.com search.brave.com kagi.com sogou.com
    aol.com ask.com lycos.com daum.net so.com presearch.com mojeek.com swisscows.com dogpile.com metager.org
    search.yahoo.com yahoo.com yahoo.co.jp search.aol.com ya.ru
    com.google.android.googlequicksearchbox com.google.android.gms`,
  social: `
    facebook fb facebook-ads facebookads ig instagram instagram-ads linkedin linkedin-ads lnkd twitter x t.co pinterest reddit tiktok snapchat
    threads bluesky bsky mastodon tumblr vk weibo wechat whatsapp telegram quora hackernews news.ycombinator
    producthunt kwai tabnews orkut messenger meetup
    facebook.com fb.com fb.me l.facebook.com lm.facebook.com m.facebook.com messenger.com instagram.com l.instagram.com
    linkedin.com lnkd.in twitter.com x.com t.co pinterest.com pinterest.com.br pin.it reddit.com old.reddit.com redd.it tiktok.com
    snapchat.com threads.net threads.com bsky.app mastodon.social tumblr.com vk.com weibo.com weixin.qq.com quora.com
    news.ycombinator.com producthunt.com meetup.com line.me
    wa.me whatsapp.com api.whatsapp.com web.whatsapp.com t.me telegram.org web.telegram.org telegram.me kwai.com tabnews.com.br
    com.facebook.katana com.instagram.android com.linkedin.android com.twitter.android com.pinterest com.reddit.frontpage
    com.whatsapp org.telegram.messenger com.zhiliaoapp.musically`,
  video: `
    youtube yt vimeo twitch dailymotion netflix hulu disneyplus bilibili rumble
    youtube.com youtu.be m.youtube.com vimeo.com player.vimeo.com twitch.tv dailymotion.com netflix.com hulu.com bilibili.com rumble.com
    com.google.android.youtube`,
  shopping: `
    amazon ebay etsy shopify walmart aliexpress alibaba googleshopping google-shopping igshopping shopzilla mercadolivre
    mercadolibre magalu magazineluiza shopee americanas casasbahia olx enjoei buscape zoom temu shein
    amazon.com amazon.co.uk amazon.de amazon.fr amazon.es amazon.it amazon.ca amazon.com.mx amazon.co.jp amazon.in ebay.com ebay.co.uk
    ebay.de etsy.com shopify.com walmart.com aliexpress.com alibaba.com shopping.google.com temu.com shein.com
    mercadolivre.com.br mercadolibre.com magazineluiza.com.br magalu.com shopee.com.br shopee.com americanas.com.br amazon.com.br
    casasbahia.com.br olx.com.br enjoei.com.br buscape.com.br zoom.com.br pontofrio.com.br extra.com.br submarino.com.br`,
  email: `
    email e-mail e_mail mail gmail outlook
    mailchimp mailerlite mailjet mailgun sendgrid sendinblue brevo klaviyo hubspot convertkit kit activecampaign active_campaign
    rdstation rd_station rd-station rdstationmarketing substack beehiiv buttondown sendy e-goi egoi lahar leadlovers locaweb-email
    campaignmonitor campaign_monitor constantcontact constant_contact getresponse omnisend drip customer.io customerio iterable
    mail.google.com outlook.live.com outlook.office.com outlook.office365.com mail.yahoo.com mail.proton.me mail.zoho.com mail.aol.com
    mail.yandex.ru webmail.uol.com.br email.uol.com.br mail.uol.com.br email.bol.uol.com.br bol.uol.com.br webmail.terra.com.br mail.terra.com.br
    com.google.android.gm com.microsoft.office.outlook`,
  sms: 'sms twilio zenvia totalvoice com.google.android.apps.messaging',
  push: 'push firebase onesignal pushwoosh webpush pushalert pushengage',
  ai: aiAssistants,
};

const kinds = new Map<string, SourceKind>();
for (const [kind, names] of Object.entries(lists)) {
  for (const name of names.trim().split(/\s+/)) kinds.set(name, kind as SourceKind);
}

/** Engines that have a domain in every country. Their other hosts (documents, groups) are no searches. */
const NATIONAL_SEARCH =
  /^(?:www\.|m\.|news\.|images\.)?(?:google|yandex)\.(?:[a-z]{2,3}|com?\.[a-z]{2})$|^[a-z]{2}\.search\.yahoo\.com$/;

/**
 * The kind of a source name or domain in lower case, or null when it is on no list.
 */
export function sourceKindOf(name: string): SourceKind | null {
  if (name === '' || name === '$direct') return null;
  const exact = kinds.get(name);
  if (exact !== undefined) return exact;
  const host = name.replace(/:\d+$/, '');
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const parent = kinds.get(host.slice(dot + 1));
    if (parent !== undefined && host.indexOf('.', dot + 1) >= 0) return parent;
  }
  return NATIONAL_SEARCH.test(host) ? 'search' : null;
}
