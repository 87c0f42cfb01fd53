/** Lists of explanations: definitions, exclusions, other products' definitions. */

/** Under a heading; nothing when there is nothing to list. */
export function Listed({ title, of }: { title: string; of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <List of={of} />
    </>
  );
}

export function List({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
