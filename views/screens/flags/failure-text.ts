/** Why a flag was refused, in the words of the screen. */
import type { Failure } from '#views/trpc.ts';
import type { flagWords } from '#views/words/flags.ts';

export function failureText({ code, field = '' }: Failure, own: (typeof flagWords)['en']): string {
  if (code === 'conflict') return field === 'version' ? own.changedMeanwhile : own.inUse;
  if (code !== 'invalid') return own.failed;
  const [, place] = /filters\.groups\.(\d+)/.exec(field) ?? [];
  return place === undefined ? own.wrong : own.wrongCondition(Number(place) + 1);
}
