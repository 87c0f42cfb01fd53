/** How often each value of a flag was read, by the events of clients. */

import { classNames } from '#views/kit/class-names.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Flags.module.css';
import { usageInput } from './flag-calls.ts';

export function FlagUsage({ reference, flagKey }: { reference: string; flagKey: string }) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const { data } = useKnown(useTrpc().insights.query.trends.queryOptions(usageInput(reference, flagKey)));
  const rows = (data?.series[0]?.rows ?? []).filter(({ total }) => (total ?? 0) > 0);
  const people = new Map(data?.series[1]?.rows.map(({ value, total }) => [value, total]));
  const { usageColumns: columns } = own;
  return (
    <section className={css['part']} aria-label={own.usage}>
      <h3>{own.usage}</h3>
      {data !== undefined && rows.length === 0 && <p className="dim">{own.usageNone}</p>}
      {rows.length > 0 && (
        <table className={css['small']}>
          <thead>
            <tr>
              <th scope="col">{columns.value}</th>
              <th scope="col" className={classNames('num', css['number'])}>
                {columns.calls}
              </th>
              <th scope="col" className={classNames('num', css['number'])}>
                {columns.people}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ value, total }) => (
              <tr key={value}>
                <th scope="row" className="mono">
                  {value === null || value === '' ? missing : value}
                </th>
                <td className={classNames('num', css['number'])}>{format.number(total ?? 0)}</td>
                <td className={classNames('num', css['number'])}>
                  {people.get(value) == null ? missing : format.number(people.get(value) ?? 0)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
