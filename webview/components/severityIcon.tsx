import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import './sign.css';

const icons = { error: 'error', warning: 'warning', information: 'info', hint: 'info', good: 'pass' } as const;

/** The icon of a severity. The text next to it explains its meaning. */
export function SeverityIcon({ kind }: { readonly kind: keyof typeof icons }) {
  return (
    <span class={`sign sign-${kind}`}>
      <Icon name={icons[kind]} />
    </span>
  );
}

export function severityText(severity: 'error' | 'warning' | 'information' | 'hint'): string {
  switch (severity) {
    case 'error':
      return l10n.t('Error');
    case 'warning':
      return l10n.t('Warning');
    case 'information':
      return l10n.t('Information');
    case 'hint':
      return l10n.t('Hint');
  }
}
