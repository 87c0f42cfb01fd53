/** A project's own channels: rules over what is known of a visit's source. Pure: patterns take time in proportion to the text. */
import { isLike } from '../../patterns/values.ts';

/** Fields of a rule, with the property of a visit's source. */
export const channelFields = {
  source: '$session_entry_utm_source',
  medium: '$session_entry_utm_medium',
  campaign: '$session_entry_utm_campaign',
  term: '$session_entry_utm_term',
  content: '$session_entry_utm_content',
  referrer: '$session_entry_referring_domain',
} as const;
export type ChannelField = keyof typeof channelFields;
export const channelFieldNames = Object.keys(channelFields) as [ChannelField, ...ChannelField[]];
export const channelProperties: readonly string[] = Object.values(channelFields);

/** A visit is of the channel when all conditions fit: texts with `*` for anything, regardless of case; '' fits what is not there. */
export interface ChannelRule {
  channel: string;
  when: readonly { field: ChannelField; like: string }[];
}

export const MAX_CHANNEL_RULES = 50;
export const MAX_CHANNEL_CONDITIONS = 6;
export const MAX_CHANNEL_NAME = 60;
export const MAX_CHANNEL_PATTERN = 200;
export const MAX_STARS = 3;

/** The channel of the first matching rule; null without a match. @param said values in the order of `channelProperties` */
export function channelBy(rules: readonly ChannelRule[], said: readonly string[]): string | null {
  const texts = said.map((text) => text.toLowerCase());
  const found = rules.find(({ when }) =>
    when.every(({ field, like }) =>
      isLike(texts[channelProperties.indexOf(channelFields[field])] ?? '', like.toLowerCase()),
    ),
  );
  return found?.channel ?? null;
}

/** A pattern as it is stored; null for one that is too long or has too many stars. */
export function channelPatternEntry(typed: string): string | null {
  const text = typed.trim();
  if (text.length > MAX_CHANNEL_PATTERN || text.split('*').length - 1 > MAX_STARS) return null;
  return /\p{Cc}/u.test(text) ? null : text;
}

/** A name as it is stored; null for one that is no name. */
export function channelNameEntry(typed: string): string | null {
  const text = typed.trim();
  return text === '' || text.length > MAX_CHANNEL_NAME || /\p{Cc}/u.test(text) ? null : text;
}
