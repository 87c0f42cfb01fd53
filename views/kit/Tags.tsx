/** Tags of a row. */
import css from './Tags.module.css';

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={css['tags']}>
      {tags.map((tag) => (
        <span key={tag} className={css['tag']}>
          {tag}
        </span>
      ))}
    </span>
  );
}
