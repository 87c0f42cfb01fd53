/** Turns a flag on or off at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flag } from '#src/flags/contract.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';

export function FlagSwitch({ reference, flag, isMaker }: { reference: string; flag: Flag; isMaker: boolean }) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const change = useMutation(trpc.flags.setActive.mutationOptions());
  const { active } = flag.definition;
  const text = active ? own.on : own.off;
  if (!isMaker) return <span>{text}</span>;

  async function turn(): Promise<void> {
    try {
      await change.mutateAsync({ project: reference, flag: flag.id, active: !active });
      showToast(active ? own.turnedOff(flag.key) : own.turnedOn(flag.key));
    } catch {
      showToast(own.failed);
    }
    await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
  }

  return (
    <button
      type="button"
      role="switch"
      aria-checked={active}
      aria-label={flag.key}
      className={css['switch']}
      disabled={change.isPending}
      onClick={() => void turn()}
    >
      <span className={css['knob']} aria-hidden="true" />
      <span aria-hidden="true">{text}</span>
    </button>
  );
}
