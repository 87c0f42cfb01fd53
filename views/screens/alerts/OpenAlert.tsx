/** One alert: its state and chart, what it saw, what was sent; or its form. */
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { Alert, AlertDelivery, AlertEvaluation } from '#src/alerts/contract.ts';
import { unitOf } from '#src/alerts/values.ts';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { alertsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { Late } from '#views/kit/Late.tsx';
import { showToast } from '#views/kit/toast.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { alertRules, intervalText, ruleText, valueText } from '#views/words/alert-rules.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AcknowledgeButton, AlertMenu, useAlertRefresh } from './AlertActions.tsx';
import { AlertChart } from './AlertChart.tsx';
import { AlertForm } from './AlertForm.tsx';
import css from './Alerts.module.css';
import { formQueries } from './alert-draft.ts';
import { StateBadge } from './StateBadge.tsx';
import { targetText } from './target-text.ts';

function refOf({ params }: Pick<ScreenProps, 'params'>) {
  const alert = Number(params['alert']);
  return { project: params['project'] ?? '', alert: Number.isSafeInteger(alert) && alert >= 0 ? alert : 0 };
}

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const ref = refOf(props);
  const isEditing = props.search.has('edit');
  return [
    ...frameQueries(trpc, props),
    { options: trpc.alerts.get.queryOptions(ref), critical: true },
    ...(isEditing
      ? formQueries(trpc, ref.project)
      : [{ options: trpc.alerts.chart.queryOptions(ref), critical: false }]),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => alertWords[language].title;

export function Screen(props: ScreenProps) {
  return (
    <Late fallback={<ChartSkeleton />}>
      <Open {...props} />
    </Late>
  );
}

function Open({ params, search }: ScreenProps) {
  const own = usePart(alertWords);
  const ref = refOf({ params });
  const { project } = ref;
  const { data: alert } = useSuspenseQuery(useTrpc().alerts.get.queryOptions(ref));
  const isEditor = mayCall('alerts.create', useRoleIn(project).role);
  const isEditing = isEditor && search.has('edit');
  return (
    <Page
      title={alert.name}
      parent={{ title: own.title, href: alertsOf(project) }}
      actions={
        isEditor &&
        !isEditing && (
          <Late>
            <AcknowledgeButton project={project} alert={alert} />
            <AlertMenu project={project} alert={alert} />
          </Late>
        )
      }
    >
      <div className="ph-no-capture">
        {isEditing ? (
          <AlertForm key={alert.revision} project={project} alert={alert} search={search} />
        ) : (
          <Details project={project} alert={alert} isEditor={isEditor} />
        )}
      </div>
    </Page>
  );
}

interface DetailsProps {
  project: string;
  alert: Alert;
  isEditor: boolean;
}

function Details({ project, alert, isEditor }: DetailsProps) {
  const own = usePart(alertWords);
  const rules = usePart(alertRules);
  const { words } = useWords();
  const { timeZone } = useRoleIn(project);
  return (
    <>
      <div className={css['head']}>
        <StateBadge alert={alert} timeZone={timeZone} />
        <p>{ruleText(alert, words, rules)}</p>
      </div>
      {alert.problem !== null && <Callout tone="warn">{own.problems[alert.problem]}</Callout>}
      <Late fallback={<ChartSkeleton />}>
        <Chart project={project} alert={alert} />
      </Late>
      <section className={css['part']}>
        <h2>{own.notify}</h2>
        {alert.targets.length === 0 ? (
          <p className="dim">{own.nobody}</p>
        ) : (
          alert.targets.map((target) => (
            <div key={target.id} className={css['target']}>
              <span>{targetText(target, own)}</span>
              {isEditor && (
                <TestButton project={project} alert={alert.id} target={target.id} name={targetText(target, own)} />
              )}
            </div>
          ))
        )}
      </section>
      <History alert={alert} timeZone={timeZone} />
      {isEditor && alert.deliveries.length > 0 && <Messages project={project} alert={alert} timeZone={timeZone} />}
    </>
  );
}

/** Of something that is gone there is none. */
function Chart({ project, alert }: Pick<DetailsProps, 'project' | 'alert'>) {
  const isGone = alert.problem === 'gone' || alert.problem === 'invalid';
  return isGone ? null : <KnownChart project={project} alert={alert} />;
}

function KnownChart({ project, alert }: Pick<DetailsProps, 'project' | 'alert'>) {
  const own = usePart(alertWords);
  const { data } = useSuspenseQuery(useTrpc().alerts.chart.queryOptions({ project, alert: alert.id }));
  return (
    <>
      <p className={`dim ${css['period']}`}>{own.previewOf[alert.interval]}</p>
      <AlertChart {...alert} preview={data} />
    </>
  );
}

function TestButton(props: { project: string; alert: number; target: number; name: string }) {
  const { name, ...input } = props;
  const own = usePart(alertWords);
  const refresh = useAlertRefresh();
  const test = useMutation(useTrpc().alerts.test.mutationOptions());
  return (
    <Button
      small
      kind="quiet"
      className="script-only"
      aria-label={own.testNamed(name)}
      disabled={test.isPending}
      onClick={() =>
        test.mutate(input, {
          onSuccess: () => showToast(own.tested),
          onError: () => showToast(own.testFailed),
          onSettled: () => void refresh(),
        })
      }
    >
      {own.test}
    </Button>
  );
}

function History({ alert, timeZone }: { alert: Alert; timeZone: string }) {
  const own = usePart(alertWords);
  const { format } = useWords();
  const unit = unitOf(alert.subject);
  const hasUsual = alert.condition.kind === 'change';
  return (
    <section className={css['part']}>
      <h2>{own.history}</h2>
      {alert.history.length === 0 ? (
        <p className="dim">{own.noHistory}</p>
      ) : (
        <table className={css['table']}>
          <caption className="visually-hidden">{own.history}</caption>
          <thead>
            <tr>
              <th scope="col">{own.when}</th>
              <th scope="col" className={css['number']}>
                {own.value}
              </th>
              {hasUsual && (
                <th scope="col" className={css['number']}>
                  {own.expected}
                </th>
              )}
              <th scope="col">{own.result}</th>
            </tr>
          </thead>
          <tbody>
            {alert.history.map((row) => (
              <tr key={row.from}>
                <th scope="row">{intervalText(alert.interval, row, timeZone, format)}</th>
                <td className={`${css['number']} num`}>{valueText(row.value, unit, format)}</td>
                {hasUsual && <td className={`${css['number']} num dim`}>{valueText(row.expected, unit, format)}</td>}
                <td className={row.fires ? css['problem'] : undefined}>{own.results[resultOf(row)]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function resultOf({ fires, failed }: AlertEvaluation): 'failed' | 'unknown' | 'fires' | 'fine' {
  if (failed) return 'failed';
  if (fires === null) return 'unknown';
  return fires ? 'fires' : 'fine';
}

function Messages({ project, alert, timeZone }: { project: string; alert: Alert; timeZone: string }) {
  const own = usePart(alertWords);
  const { format } = useWords();
  return (
    <section className={css['part']}>
      <h2>{own.messages}</h2>
      <table className={css['table']}>
        <caption className="visually-hidden">{own.messages}</caption>
        <thead>
          <tr>
            <th scope="col">{own.message}</th>
            <th scope="col">{own.result}</th>
            <th scope="col">
              <span className="visually-hidden">{own.redeliver}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {alert.deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <th scope="row">
                {own.notices[delivery.notice]}
                <span className={css['sub']}>
                  {own.targets[delivery.kind]}: {delivery.place} · {format.dayTime(delivery.createdAt, timeZone)}
                </span>
              </th>
              <td>
                {own.deliveryStates[delivery.state]}
                <span className={css['sub']}>{outcomeText(delivery, own, format.number)}</span>
              </td>
              <td className={css['number']}>
                {delivery.state !== 'queued' && <Redeliver project={project} alert={alert.id} delivery={delivery} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function outcomeText(
  { tries, status, error }: AlertDelivery,
  own: (typeof alertWords)['en'],
  number: (n: number) => string,
): string {
  const parts = [
    own.tries(tries, number(tries)),
    status === null ? '' : `HTTP ${status}`,
    error === null ? '' : own.errors[error],
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function Redeliver({ project, alert, delivery }: { project: string; alert: number; delivery: AlertDelivery }) {
  const own = usePart(alertWords);
  const refresh = useAlertRefresh();
  const redeliver = useMutation(useTrpc().alerts.redeliver.mutationOptions());
  return (
    <Button
      small
      kind="quiet"
      className="script-only"
      aria-label={own.redeliverNamed(delivery.place)}
      disabled={redeliver.isPending}
      onClick={() =>
        redeliver.mutate(
          { project, alert, delivery: delivery.id },
          { onSuccess: () => showToast(own.redelivered), onSettled: () => void refresh() },
        )
      }
    >
      {own.redeliver}
    </Button>
  );
}
