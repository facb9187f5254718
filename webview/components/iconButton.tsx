import { Icon } from './icon';
import type { IconName } from './iconNames';

export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  /** -1 if it is reached by keys other than Tab. */
  readonly tabIndex?: number;
}

export function IconButton({ icon, label, onClick, tabIndex = 0 }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} tabIndex={tabIndex} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
