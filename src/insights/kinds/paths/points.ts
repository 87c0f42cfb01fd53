/** People behind the transitions and steps of paths. */
import { definePoints } from '../../define.ts';
import { type PathsInput, type PathsPoint, pathsPoint } from './contract.ts';
import { preparePaths } from './run.ts';

export const pathsPoints = definePoints<PathsInput, PathsPoint>({
  point: pathsPoint,
  async resolve(context, input, point) {
    const { asked } = await preparePaths(context, input);
    return { question: { kind: 'paths', asked, point }, span: asked.span };
  },
});
