/** Messages as webhooks and chats take them. Pure. */
import { createHmac } from 'node:crypto';
import type { AlertCondition, AlertSubject } from './contract.ts';
import type { AlertInterval, DescribedIssue, NoticeKind, TargetKind } from './values.ts';

/** What a message says, as it is stored until it is sent. */
export interface AlertMessage {
  notice: NoticeKind;
  /** In the language of the alert. */
  title: string;
  lines: string[];
  /** Address of the alert. */
  link: string;
  linkLabel: string;
  project: { id: number; name: string };
  alert: { id: number; name: string };
  subject: AlertSubject;
  condition: AlertCondition;
  interval: { name: AlertInterval; from: string; to: string };
  value: number | null;
  expected: number | null;
  /** Of an alert that watches issues: what happened. */
  issues?: readonly DescribedIssue[];
}

/** An address with what is secret of it. */
export type TargetSecret = { url: string; secret?: string } | { token: string; chat: string };

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type ChatKind = Exclude<TargetKind, 'email' | 'webhook'>;

const TELEGRAM = 'https://api.telegram.org';

/** @param id of the delivery, the same for each of its tries @param at seconds since 1970 */
export function requestOf(
  kind: TargetKind,
  target: TargetSecret,
  message: AlertMessage,
  { id, at }: { id: string; at: number },
): WebhookRequest {
  const json = { 'content-type': 'application/json', 'user-agent': 'Luneta-Alerts/1' };
  if ('token' in target) {
    const body = JSON.stringify(telegram(message, target.chat));
    return { url: `${TELEGRAM}/bot${target.token}/sendMessage`, headers: json, body };
  }
  if (kind !== 'webhook') {
    return { url: target.url, headers: json, body: JSON.stringify(chats[kind as ChatKind](message)) };
  }
  const { title: _, lines: __, link, linkLabel: ___, notice, alert, ...rest } = message;
  const body = JSON.stringify({ id, type: `alert.${notice}`, sentAt: at, alert: { ...alert, url: link }, ...rest });
  return {
    url: target.url,
    headers: {
      ...json,
      'luneta-delivery': id,
      'luneta-signature': `t=${at},v1=${signatureOf(target.secret ?? '', at, body)}`,
    },
    body,
  };
}

/** HMAC-SHA256 over time and body, in hex. */
export function signatureOf(secret: string, at: number, body: string): string {
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
}

const chats: Record<ChatKind, (message: AlertMessage) => object> = {
  slack: ({ title, lines, link, linkLabel }) => ({
    text: [`*${slackText(title)}*`, ...lines.map(slackText), `<${slackText(link)}|${slackText(linkLabel)}>`].join('\n'),
  }),
  discord: ({ title, lines, link }) => ({
    content: [`**${markdownText(title)}**`, ...lines.map(markdownText), link].join('\n').slice(0, 2_000),
    allowed_mentions: { parse: [] },
  }),
  teams: ({ title, lines, link, linkLabel }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: markdownText(title), weight: 'Bolder', size: 'Medium', wrap: true },
            ...lines.map((line) => ({ type: 'TextBlock', text: markdownText(line), wrap: true })),
          ],
          actions: [{ type: 'Action.OpenUrl', title: linkLabel, url: link }],
        },
      },
    ],
  }),
  telegram: (message) => telegram(message, ''),
};

function telegram({ title, lines, link }: AlertMessage, chat: string): object {
  return { chat_id: chat, text: [title, ...lines, link].join('\n'), link_preview_options: { is_disabled: true } };
}

/** Names are text, never markup or mentions. */
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, '\u200b$&');
}

function markdownText(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|>~<]/g, '\\$&');
}
