/** The link to how numbers are counted, and what it opens: the code comes after the screen, the place is there from the start. */
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { ExplainProps } from './Explain.tsx';
import css from './ExplainPlace.module.css';
import type { ExplainScreenProps } from './ExplainScreen.tsx';

const OfNumber = lazyPart<ExplainProps>('explain', async () => (await import('#views/areas/explain.ts')).Explain);
const OfScreen = lazyPart<ExplainScreenProps>(
  'explain',
  async () => (await import('#views/areas/explain.ts')).ExplainScreen,
);

/** As high as the link. */
const place = <div className={css['place']} />;

/** Of one number, or of a table. */
export function Explain(props: ExplainProps) {
  return (
    <Late fallback={place}>
      <OfNumber {...props} />
    </Late>
  );
}

/** Of all numbers of a screen, or of one of its parts. */
export function ExplainScreen(props: ExplainScreenProps) {
  return (
    <Late fallback={place}>
      <OfScreen {...props} />
    </Late>
  );
}
