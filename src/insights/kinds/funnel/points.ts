/** People behind the steps of funnels. */
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { type FunnelInput, type FunnelPoint, funnelPoint } from './contract.ts';
import { prepareFunnel } from './run.ts';

export const funnelPoints = definePoints<FunnelInput, FunnelPoint>({
  point: funnelPoint,
  async resolve(context, input, point) {
    checkPoint(input, point);
    const { asked } = await prepareFunnel(context, input);
    if ((point.interval ?? 0) >= asked.starts.length) throw invalid('point', 'There is no such interval.');
    return { question: { kind: 'funnel', asked, point }, span: asked.span };
  },
});

/** @throws AppError `invalid` for a step that the funnel does not have */
export function checkPoint(
  { steps }: Pick<FunnelInput, 'steps'>,
  { step, dropped }: Pick<FunnelPoint, 'step' | 'dropped'>,
): void {
  if (step > steps.length) throw invalid('point', `There is no step ${step}.`);
  if (dropped && step === 1) throw invalid('point', 'Nobody drops off before the first step.');
}
