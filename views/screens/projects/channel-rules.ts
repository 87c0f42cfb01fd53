/** Rules for channels as they are typed: rows that keep their identity while they are moved. Pure. */
import {
  type ChannelField,
  type ChannelRule,
  channelNameEntry,
  channelPatternEntry,
} from '#src/kit/reading/channels/values.ts';

export interface ChannelRuleDraft extends ChannelRule {
  /** Within the form. */
  id: number;
}

/** By the names of their inputs (`channelInputs`): what is wrong. */
export type ChannelRuleErrors = Partial<Record<string, 'channel' | 'pattern'>>;

/** Names of the inputs of a rule. */
export const channelInputs = {
  channel: (id: number) => `channel ${id}`,
  field: (id: number, at: number) => `field ${id} ${at}`,
  like: (id: number, at: number) => `like ${id} ${at}`,
};

export function channelDrafts(rules: readonly ChannelRule[]): ChannelRuleDraft[] {
  return rules.map(({ channel, when }, id) => ({ id, channel, when }));
}

export function channelRulesOf(drafts: readonly ChannelRuleDraft[]) {
  return drafts.map(({ channel, when }) => ({
    channel: channel.trim(),
    when: when.map(({ field, like }) => ({ field, like: like.trim() })),
  }));
}

/** With one more at the end: of the source, as most rules are. */
export function withNewRule(drafts: readonly ChannelRuleDraft[]): ChannelRuleDraft[] {
  const id = Math.max(-1, ...drafts.map((each) => each.id)) + 1;
  return [...drafts, { id, channel: '', when: [{ field: 'source', like: '' }] }];
}

/** @param by -1: one place up */
export function moved(drafts: readonly ChannelRuleDraft[], id: number, by: -1 | 1): ChannelRuleDraft[] {
  const from = drafts.findIndex((each) => each.id === id);
  const to = from + by;
  const list = [...drafts];
  const [rule] = list.splice(from, 1);
  if (rule === undefined || to < 0 || to >= drafts.length) return [...drafts];
  list.splice(to, 0, rule);
  return list;
}

export function channelErrors(drafts: readonly ChannelRuleDraft[]): ChannelRuleErrors {
  const errors: ChannelRuleErrors = {};
  for (const { id, channel, when } of drafts) {
    if (channelNameEntry(channel) === null) errors[channelInputs.channel(id)] = 'channel';
    when.forEach(({ like }, at) => {
      if (channelPatternEntry(like) === null) errors[channelInputs.like(id, at)] = 'pattern';
    });
  }
  return errors;
}

/** The rules with what inputs of these names hold. @param typed undefined: there is no such input */
export function channelsTyped(
  drafts: readonly ChannelRuleDraft[],
  typed: (name: string) => string | undefined,
): ChannelRuleDraft[] {
  return drafts.map(({ id, channel, when }) => ({
    id,
    channel: typed(channelInputs.channel(id)) ?? channel,
    when: when.map(({ field, like }, at) => ({
      field: (typed(channelInputs.field(id, at)) as ChannelField | undefined) ?? field,
      like: typed(channelInputs.like(id, at)) ?? like,
    })),
  }));
}
