import { mayCall } from '#src/accounts/values.ts';
import type { Display, SavedInsight } from '#src/insights/saved/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { type Insight, inputOf } from '#views/insights/insight.ts';
import { SaveInsight } from '#views/insights/SaveInsight.tsx';

interface SaveShownProps {
  project: string;
  insight: Insight;
  /** The insight that is open; null for a new one. */
  saved: SavedInsight | null;
  isChanged: boolean;
}

export function SaveShown({ project, insight, saved, isChanged }: SaveShownProps) {
  const { role } = useRoleIn(project);
  if (!mayCall('insights.saved.create', role) || insight.isBroken) return null;
  const { segment = null, ...query } = inputOf(insight);
  const options = Object.entries(insight.display).filter(([, value]) => value !== undefined);
  const shown = { kind: insight.kind, query, segment, display: Object.fromEntries(options) as Display };
  return <SaveInsight project={project} shown={shown} saved={saved} isChanged={isChanged} />;
}
