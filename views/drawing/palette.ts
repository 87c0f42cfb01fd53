/**
 * Colors of drawings that stand alone, where no style sheet reaches them: those of `styles/tokens.css` and `charts/Heat.module.css`, by theme.
 * A test holds them against these.
 */
export interface Palette {
  canvas: string;
  ink: string;
  ink3: string;
  inkInverse: string;
  line: string;
  chartCompare: string;
  chartGrid: string;
  chartAxis: string;
  chartTrack: string;
  series: readonly string[];
  /** Nine steps: 0 is nothing, 8 the most. */
  heat: readonly string[];
}

export type Theme = 'light' | 'dark';

export const palettes: Record<Theme, Palette> = {
  light: {
    canvas: '#fcfbf8',
    ink: '#0f1c2e',
    ink3: '#5a687c',
    inkInverse: '#fcfbf8',
    line: '#e6e3dc',
    chartCompare: '#868e9a',
    chartGrid: '#eae7e0',
    chartAxis: '#97a1ae',
    chartTrack: '#eae7e0',
    series: ['#1f5fa6', '#b4593f', '#0a9a80', '#873f6b', '#ab8114', '#8f7dcf', '#4e4f21', '#1b3643'],
    heat: ['#f3f4f3', '#e3eef7', '#c0dcf4', '#95c4ea', '#6cabdb', '#2779ad', '#0f618e', '#08496c', '#0d3349'],
  },
  dark: {
    canvas: '#0b1420',
    ink: '#e9edf2',
    ink3: '#8e9bae',
    inkInverse: '#0f1c2e',
    line: '#1c2939',
    chartCompare: '#76849a',
    chartGrid: '#1a2636',
    chartAxis: '#4f5d72',
    chartTrack: '#1c2939',
    series: ['#6db1f2', '#cf6c22', '#2f9577', '#da89b2', '#f9c757', '#8468be', '#98a85b', '#c7d8e6'],
    heat: ['#111c2a', '#10263c', '#0b365b', '#0c4b7a', '#226ba4', '#458ec5', '#64a6d7', '#87bde5', '#add3ef'],
  },
};

/** Above it, steps have inverse ink. */
const DARK_STEP = 4;

export function inkOn(step: number, { ink, inkInverse }: Palette): string {
  return step > DARK_STEP ? inkInverse : ink;
}
