/** Names a new dashboard and chooses what it starts with. Insights of its template are saved with it. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { fillScreen } from '#views/dashboards/fill-screen.ts';
import { dashboardTemplates, suggestedTemplate, WALL_TEMPLATE } from '#views/dashboards/templates.ts';
import { useTemplates } from '#views/dashboards/use-templates.ts';
import { dashboardOf, dashboardWallOf } from '#views/frame/addresses.ts';
import { type InsightNames, NameFields, namesIn } from '#views/insights/SaveDialog.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { type DashboardTemplate, dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dashboards.module.css';

const names = Object.keys(dashboardTemplates) as DashboardTemplate[];

export interface NewDashboardProps {
  project: string;
  onClose(): void;
}

export function NewDashboard({ project, onClose }: NewDashboardProps) {
  const own = usePart(dashboardWords);
  const edit = usePart(dashboardEditWords);
  const { data: insights } = useSuspenseQuery(useTrpc().insights.saved.templates.queryOptions({ project }));
  const createFrom = useTemplates(project);
  const { navigate } = useNavigate();
  const suggested = suggestedTemplate(insights);
  const form = useForm<keyof InsightNames | 'template'>({
    async send({ template, ...values }) {
      const made = await createFrom(names.find((each) => each === template) ?? 'blank', insights, namesIn(values));
      showToast(edit.created);
      onClose();
      if (template !== WALL_TEMPLATE) return navigate(dashboardOf(project, made.id));
      fillScreen(document.documentElement);
      navigate(dashboardWallOf(project, made.id));
    },
  });
  return (
    <Dialog label={own.create} onClose={onClose} className="ph-no-capture">
      <form className={css['form']} onSubmit={form.onSubmit}>
        <h2>{own.create}</h2>
        <NameFields name="" description="" tags={[]} />
        <fieldset className={css['templates']}>
          <legend>{edit.template}</legend>
          {names.map((name) => {
            const [title, about] = edit.templates[name];
            return (
              <label key={name}>
                <input type="radio" name="template" value={name} defaultChecked={name === suggested} />
                <span>
                  <b>{title}</b>
                  {name === suggested && <span className={css['suggested']}>{edit.suggested}</span>}
                  <span className="dim">{about}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
        <FormError>{form.failure !== null && <Problem error={form.failure} />}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary" busy={form.busy && own.saving}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
