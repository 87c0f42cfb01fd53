/** Relative times, while they are clearer than the date. */
import type { Words } from './en.ts';
import { formatOf } from './format.ts';
import type { Part } from './part.ts';

const en = {
  justNow: 'just now',
  seconds: (text: string) => `${text} s ago`,
  minutes: (text: string) => `${text} min ago`,
  hours: (text: string) => `${text} h ago`,
};

const ptBR: typeof en = {
  justNow: 'agora mesmo',
  seconds: (text) => `há ${text} s`,
  minutes: (text) => `há ${text} min`,
  hours: (text) => `há ${text} h`,
};

const relativeWords: Part<typeof en> = { en, 'pt-BR': ptBR };

/** "8 min ago" within a day, "Thu 12 Nov, 14:32" after. */
export function ago(ms: number, now: number, timeZone: string, words: Words): string {
  const format = formatOf(words);
  const text = relativeWords[words.language];
  const seconds = Math.floor((now - ms) / 1_000);
  if (seconds < 5) return text.justNow;
  if (seconds < 60) return text.seconds(format.number(seconds));
  if (seconds < 3_600) return text.minutes(format.number(Math.floor(seconds / 60)));
  if (seconds < 86_400) return text.hours(format.number(Math.floor(seconds / 3_600)));
  return format.dayTime(ms, timeZone);
}
