/** Creates the first dashboard of a project from what it sends, in one click. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardOf } from '#views/frame/addresses.ts';
import { Button } from '#views/kit/Button.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart } from '#views/words/words.tsx';
import { suggestedTemplate } from './templates.ts';
import { useTemplates } from './use-templates.ts';

export interface FirstDashboardProps {
  project: string;
}

export function FirstDashboard({ project }: FirstDashboardProps) {
  const edit = usePart(dashboardEditWords);
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const createFrom = useTemplates(project);
  const onFailure = useFailureToast();
  const [isBusy, setIsBusy] = useState(false);

  async function create(): Promise<void> {
    setIsBusy(true);
    try {
      const insights = await client.fetchQuery(trpc.insights.saved.templates.queryOptions({ project }));
      const template = suggestedTemplate(insights);
      const [name, description] = edit.templates[template];
      const made = await createFrom(template, insights, { name, description, tags: [] });
      showToast(edit.created);
      navigate(dashboardOf(project, made.id));
    } catch (error) {
      onFailure(error);
      setIsBusy(false);
    }
  }

  return (
    <Button className="script-only" busy={isBusy && own.saving} onClick={() => void create()}>
      {own.createFirst}
    </Button>
  );
}
