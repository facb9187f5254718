import { Icon } from './icon';

export interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
