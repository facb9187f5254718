import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import type { IconName } from './iconNames';

export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  /** -1 if it is reached by keys other than Tab. */
  readonly tabIndex?: number;
  /** Id of the popup that the button opens, and whether it is open. */
  readonly controls?: string;
  readonly expanded?: boolean;
}

export function IconButton({ icon, label, onClick, tabIndex = 0, controls, expanded }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-controls={controls}
      aria-expanded={expanded}
      tabIndex={tabIndex}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The last button of a row of actions, whose menu has the others. `onOpen` gets the button, at which the menu opens. */
export function MoreButton({
  class: name = 'icon-button',
  label = l10n.t('More Actions'),
  onOpen,
}: {
  readonly class?: string;
  readonly label?: string;
  readonly onOpen: (button: HTMLElement) => void;
}) {
  return (
    <button
      type="button"
      class={name}
      title={label}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      <Icon name="ellipsis" />
    </button>
  );
}
