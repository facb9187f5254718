import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';

interface ActionButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

/** A secondary action of a page's header: a word, or an icon where the page is narrow. */
export function ActionButton({ icon, label, onClick }: ActionButtonProps) {
  return (
    <>
      <vscode-button class="results-word" appearance="secondary" onClick={onClick}>
        {label}
      </vscode-button>
      <vscode-button class="results-icon" appearance="secondary" title={label} aria-label={label} onClick={onClick}>
        <Icon name={icon} />
      </vscode-button>
    </>
  );
}
