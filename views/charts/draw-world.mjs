/**
 * Draws the countries of the world for the map of the Overview: `node views/charts/draw-world.mjs` writes views/charts/world-shapes.ts, `--print` prints
 * it. Equal Earth projection, so that areas can be compared; whole units, since the map is never shown larger.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { feature } from 'topojson-client';

const WIDTH = 1000;
/** Latitudes at the edges: the north of Greenland, and Tierra del Fuego. */
const NORTH = 83.7;
const SOUTH = -56;
const ANTARCTICA = '010';
/** Codes that Natural Earth lacks, by country name. */
const codes = { Kosovo: 'XK' };

const radians = Math.PI / 180;
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];

/** Equal Earth (Šavrič, Patterson, Jenny 2018), in units of the sphere. */
function project([longitude, latitude]) {
  const angle = Math.asin((Math.sqrt(3) / 2) * Math.sin(latitude * radians));
  const square = angle * angle;
  const sixth = square ** 3;
  const slope = 9 * A4 * sixth * square + 7 * A3 * sixth + 3 * A2 * square + A1;
  const x = (2 * Math.sqrt(3) * longitude * radians * Math.cos(angle)) / (3 * slope);
  return [x, angle * (A1 + A2 * square + sixth * (A3 + A4 * square))];
}

const half = project([180, 0])[0];
const scale = WIDTH / (2 * half);
const top = project([0, NORTH])[1];
const height = Math.round((top - project([0, SOUTH])[1]) * scale);

function placed(point) {
  const [x, y] = project(point);
  return [Math.round((x + half) * scale), Math.round((top - y) * scale)];
}

/** Splits a ring at the date line. */
function sides(ring) {
  let shift = 0;
  const unwrapped = ring.map(([longitude, latitude], at) => {
    if (at > 0 && Math.abs(longitude - ring[at - 1][0]) > 180) shift += longitude < ring[at - 1][0] ? 360 : -360;
    return [longitude + shift, latitude];
  });
  return [-360, 0, 360].map((turn) =>
    cut(
      cut(
        unwrapped.map(([x, y]) => [x + turn, y]),
        180,
        1,
      ),
      -180,
      -1,
    ),
  );
}

/** Clips a ring to one side of a meridian (Sutherland-Hodgman). */
function cut(ring, meridian, sign) {
  const isIn = ([x]) => (meridian - x) * sign >= 0;
  return ring.flatMap((point, at) => {
    const before = ring.at(at - 1);
    const crossing = () => {
      const share = (meridian - before[0]) / (point[0] - before[0]);
      return [meridian, before[1] + share * (point[1] - before[1])];
    };
    if (isIn(point)) return isIn(before) ? [point] : [crossing(), point];
    return isIn(before) ? [crossing()] : [];
  });
}

/** Relative steps, without those that lead nowhere; nothing for what is smaller than a unit. */
function pathOf(ring) {
  const points = ring.map(placed).filter(([x, y], at, all) => at === 0 || x !== all[at - 1][0] || y !== all[at - 1][1]);
  if (points.length < 3) return '';
  const steps = points.slice(1).map(([x, y], at) => `${x - points[at][0]} ${y - points[at][1]}`);
  return `M${points[0].join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-');
}

const atlas = JSON.parse(
  readFileSync(new URL('../../node_modules/world-atlas/countries-110m.json', import.meta.url), 'utf8'),
);
const shapes = {};
let others = '';
for (const { id, properties, geometry } of feature(atlas, atlas.objects.countries).features) {
  if (id === ANTARCTICA) continue;
  const code = id === undefined ? codes[properties.name] : Intl.getCanonicalLocales(`und-${id}`)[0].slice(4);
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const path = polygons.flat().flatMap(sides).map(pathOf).join('');
  if (code === undefined) others += path;
  else shapes[code] = path;
}

const text = `/** Made by views/charts/draw-world.mjs from Natural Earth's countries (public domain, by way of world-atlas): never edit it. */

export const WORLD_WIDTH = ${WIDTH};
export const WORLD_HEIGHT = ${height};

/** Path data by ISO code. */
export const worldShapes: Readonly<Record<string, string>> = {
${Object.keys(shapes)
  .sort()
  .map((code) => `  ${code}: '${shapes[code]}',`)
  .join('\n')}
};

/** Land of countries without a code. */
export const otherLand =
  '${others}';
`;
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(new URL('./world-shapes.ts', import.meta.url), text);
