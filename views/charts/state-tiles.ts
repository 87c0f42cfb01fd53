/** The states of Brazil as tiles of equal size, each about where it lies: small states are as easy to find and to press as large ones. */

/** Column and row by the last part of the ISO code. */
const places: Readonly<Record<string, readonly [column: number, row: number]>> = {
  RR: [1, 0],
  AP: [3, 0],
  AM: [1, 1],
  PA: [2, 1],
  MA: [3, 1],
  CE: [4, 1],
  RN: [5, 1],
  AC: [0, 2],
  RO: [1, 2],
  TO: [2, 2],
  PI: [3, 2],
  PE: [4, 2],
  PB: [5, 2],
  MT: [1, 3],
  GO: [2, 3],
  BA: [3, 3],
  SE: [4, 3],
  AL: [5, 3],
  MS: [1, 4],
  DF: [2, 4],
  MG: [3, 4],
  ES: [4, 4],
  SP: [2, 5],
  RJ: [3, 5],
  PR: [2, 6],
  SC: [2, 7],
  RS: [2, 8],
};

const [WIDTH, HEIGHT, GAP] = [64, 44, 4];

export const TILES_WIDTH = 6 * WIDTH;
export const TILES_HEIGHT = 9 * HEIGHT;

export interface Tile {
  state: string;
  /** Path data. */
  shape: string;
  /** Position of its letters. */
  x: number;
  y: number;
}

/** By ISO 3166-2 code. */
export const stateTiles: Readonly<Record<string, Tile>> = Object.fromEntries(
  Object.entries(places).map(([state, [column, row]]): [string, Tile] => {
    const [x, y] = [column * WIDTH, row * HEIGHT];
    const shape = `M${x} ${y}h${WIDTH - GAP}v${HEIGHT - GAP}h${GAP - WIDTH}z`;
    return [`BR-${state}`, { state, shape, x: x + (WIDTH - GAP) / 2, y: y + (HEIGHT - GAP) / 2 }];
  }),
);
