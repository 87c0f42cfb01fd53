/** Copies the flag to another project of the team, after it said what will not be the same there. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Flag, FlagCopyPlan } from '#src/flags/contract.ts';
import { flagsOf } from '#views/frame/addresses.ts';
import { isProject } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';

export function FlagCopy({ reference, flag }: { reference: string; flag: Flag }) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const [target, setTarget] = useState('');
  const [made, setMade] = useState<{ project: string; flag: number } | null>(null);
  const here = projects.find((each) => isProject(each, reference));
  const others = projects.filter(({ id, team }) => id !== here?.id && team.id === here?.team.id);
  const asked = { project: reference, flag: flag.id, target: Number(target) };
  const { data: plan } = useKnown({ ...trpc.flags.planCopy.queryOptions(asked), enabled: target !== '' });
  const copy = useMutation(trpc.flags.copy.mutationOptions());
  if (others.length === 0) return null;

  async function make({ existing }: FlagCopyPlan): Promise<void> {
    const { id } = await copy.mutateAsync({ ...asked, replaces: existing?.version ?? null });
    setMade({ project: target, flag: id });
    await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
  }

  return (
    <section className={css['part']} aria-label={own.copy}>
      <h3>{own.copy}</h3>
      <SelectField
        label={own.copyTo}
        name="target"
        value={target}
        onChange={({ target: field }) => {
          setTarget(field.value);
          setMade(null);
          copy.reset();
        }}
      >
        <option value="">{own.copyChoose}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </SelectField>
      <div aria-live="polite">
        {made !== null && (
          <p>
            {own.copied} <Link href={`${flagsOf(made.project)}?edit=${made.flag}`}>{own.copyOpen}</Link>
          </p>
        )}
        {plan && made === null && <Plan plan={plan} />}
        {copy.isError && <p className={css['wrong']}>{own.copyFailed}</p>}
      </div>
      {plan && plan.blocked === null && made === null && (
        <div>
          {/* A failure is shown above. */}
          <Button small busy={copy.isPending && own.copying} onClick={() => void make(plan).catch(() => undefined)}>
            {plan.existing === null ? own.copyMake : own.copyReplace}
          </Button>
        </div>
      )}
    </section>
  );
}

function Plan({ plan: { existing, leftOut, blocked } }: { plan: FlagCopyPlan }) {
  const own = usePart(flagWords);
  if (blocked !== null) return <p className={css['wrong']}>{own.copyBlocked[blocked.reason](blocked.name)}</p>;
  return (
    <>
      <p className="dim">{existing === null ? own.copyNew : own.copyExisting}</p>
      {leftOut.length > 0 && (
        <ul className={css['trace']}>
          {leftOut.map(({ condition, reason, name }) => (
            <li key={condition}>{own.copyLeftOut[reason](condition + 1, name)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
