/** Insights as drawings in a language: what the screens' own charts show, as a document that needs neither a browser nor a style sheet. */
import type { DrawAnswer } from '#src/insights/drawing/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { drawInsight } from '#views/drawing/draw-insight.ts';
import { insightOf } from '#views/insights/address.ts';
import { display } from '#views/insights/display.ts';
import { type Inputs, type KindName, kindNames } from '#views/insights/insight.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { dateIn } from '#views/words/zone.ts';

export function createDrawings({
  insights,
  profiles,
  deps,
}: Pick<Rooms, 'insights' | 'profiles' | 'deps'>): DrawAnswer {
  /** Keys of groups are those that the reader sees anyway; what the types are called is no secret of members. */
  const groupsOf = (project: ProjectId) => profiles.groups.types(project);
  return async ({ project, kind, input, display: given, result, name }, { language, theme }) => {
    const known = kindNames.find((each) => each === kind);
    if (known === undefined) return null;
    const shown = display.safeParse(given);
    const words = language === 'pt-BR' ? ptBR : en;
    const [goals, groups] = await Promise.all([insights.goals.list(project), groupsOf(project.id)]);
    return drawInsight(
      {
        insight: insightOf(known, input as Inputs[KindName], shown.success ? shown.data : {}),
        result,
        name,
      },
      {
        words,
        format: formatOf(words),
        theme,
        today: dateIn(deps.clock.now(), project.timeZone),
        weekStart: project.weekStart,
        goals,
        groups,
      },
    );
  };
}
