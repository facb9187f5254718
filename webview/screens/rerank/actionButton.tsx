import type { Signal } from '@preact/signals';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';

interface ActionButtonProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly hint: string;
  readonly isPressed?: boolean;
  /** Whether the panel the button controls is open. */
  readonly panel?: Signal<boolean>;
  readonly onClick?: () => void;
}

/** A button whose label is hidden if there is little space. */
export function ActionButton({ id, icon, label, hint, isPressed, panel, onClick }: ActionButtonProps) {
  return (
    <button
      type="button"
      class={`bar-button bar-${id}`}
      title={hint}
      aria-label={label}
      aria-pressed={isPressed}
      {...(panel && { 'aria-haspopup': 'dialog', 'aria-expanded': panel.value })}
      aria-controls={panel?.value ? `${id}-panel` : undefined}
      onClick={onClick ?? (() => panel && (panel.value = !panel.peek()))}
    >
      <Icon name={icon} />
      <span class="rerank-action-name">{label}</span>
    </button>
  );
}
