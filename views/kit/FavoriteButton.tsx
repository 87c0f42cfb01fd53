/** Marks a row as a favorite of the reader. */
import css from './FavoriteButton.module.css';
import { Icon } from './Icon.tsx';

interface FavoriteButtonProps {
  label: string;
  favorite: boolean;
  onToggle(): void;
}

export function FavoriteButton({ label, favorite, onToggle }: FavoriteButtonProps) {
  return (
    <button type="button" className={css['star']} aria-pressed={favorite} aria-label={label} onClick={onToggle}>
      <Icon name="star" />
    </button>
  );
}
