/** A spyglass over a graduated arc: it points where nothing is, or its ring is broken. */
const CENTRE = { x: 120, y: 124 };
const RADIUS = 118;
/** A tick every five degrees, a long one every thirty. */
const TICKS = Array.from({ length: 37 }, (_, index) => index * 5);

export function Arc({ kind }: { kind: 'missing' | 'broken' }) {
  const angle = kind === 'missing' ? 142 : 58;
  const tip = at(angle, 76);
  const ring = at(angle, 88);
  return (
    <svg width="240" height="132" viewBox="0 0 240 132" fill="none" aria-hidden="true">
      <path stroke="var(--chart-axis)" d={TICKS.map(tick).join('')} />
      <path stroke="var(--ink)" strokeWidth="1.5" d={`M${CENTRE.x} ${CENTRE.y}L${tip.x} ${tip.y}`} />
      <circle
        stroke="var(--brass)"
        strokeWidth="3"
        strokeDasharray={kind === 'broken' ? '4 3' : undefined}
        cx={ring.x}
        cy={ring.y}
        r="12"
      />
      <circle fill="var(--ink)" cx={CENTRE.x} cy={CENTRE.y} r="4" />
    </svg>
  );
}

function tick(angle: number): string {
  const inner = at(angle, RADIUS - (angle % 30 === 0 ? 14 : 8));
  const outer = at(angle, RADIUS);
  return `M${inner.x} ${inner.y}L${outer.x} ${outer.y}`;
}

function at(angle: number, radius: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: tenth(CENTRE.x + radius * Math.cos(radians)), y: tenth(CENTRE.y - radius * Math.sin(radians)) };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
