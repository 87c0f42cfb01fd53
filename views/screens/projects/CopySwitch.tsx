/** Where the project's insights run. Saved at once, beside the form. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ProjectCopy } from '#src/clickhouse/contract.ts';
import { Callout } from '#views/kit/Callout.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { clickhouseWords } from '#views/words/clickhouse.ts';
import type { Format } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Section, Switch } from './SettingsParts.tsx';
import css from './settings.module.css';

/** How often the state is asked again while it is looked at. */
const EVERY_MS = 10_000;

export interface CopySwitchProps {
  project: string;
  timeZone: string;
}

export function CopySwitch({ project, timeZone }: CopySwitchProps) {
  const trpc = useTrpc();
  const part = usePart(clickhouseWords);
  const { format } = useWords();
  const client = useQueryClient();
  const options = trpc.clickhouse.project.queryOptions({ project });
  const { data: copy } = useSuspenseQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data ? EVERY_MS : false),
  });
  const change = useMutation({
    ...trpc.clickhouse.switchProject.mutationOptions(),
    async onSuccess(_, { isOn }) {
      await client.invalidateQueries({ queryKey: options.queryKey });
      showToast(isOn ? part.switchedOn : part.switchedOff);
    },
  });
  if (copy === null) return null;
  const { isOn, isUsed, copiedUntil, isFailing } = copy;
  const isReady = isOn || copiedUntil !== null;
  return (
    <Section title={part.title} text={part.text}>
      <div className={`${css['switches']} script-only`}>
        <Switch
          label={part.run}
          hint={isReady ? part.runHint : part.notYet}
          name="clickhouse"
          checked={change.isPending ? change.variables.isOn : isOn}
          disabled={!isReady || change.isPending}
          onChange={(wanted) => change.mutate({ project, isOn: wanted })}
        />
      </div>
      <FormError>{change.isError && <Problem error={change.error} />}</FormError>
      <div>
        <p>{isUsed ? part.used : isOn ? part.behind : part.unused}</p>
        <p className={css['dim']}>{copyText(copy, part, format, timeZone)}</p>
      </div>
      {isFailing && <Callout tone="warn">{part.failing}</Callout>}
    </Section>
  );
}

/** "Copied until 14:03, 4 s behind · No events wait" */
function copyText(
  { at, copiedUntil, waiting, isMore }: ProjectCopy,
  part: (typeof clickhouseWords)['en'],
  format: Format,
  timeZone: string,
): string {
  const until =
    copiedUntil === null
      ? part.copying
      : part.until(format.dayMoment(copiedUntil, timeZone), format.delay(Math.max(0, at - copiedUntil)));
  const text = format.number(waiting);
  const queue = isMore ? part.waitingMore(text) : waiting === 0 ? part.noneWaiting : part.waiting(waiting, text);
  return `${until} · ${queue}`;
}
