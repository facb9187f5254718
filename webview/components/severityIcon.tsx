import { Icon } from './icon';
import './sign.css';

const icons = { error: 'error', warning: 'warning', information: 'info', hint: 'info', good: 'pass' } as const;

/** The icon of a severity. The text beside it says what it means. */
export function SeverityIcon({ kind }: { readonly kind: keyof typeof icons }) {
  return (
    <span class={`sign sign-${kind}`}>
      <Icon name={icons[kind]} />
    </span>
  );
}
