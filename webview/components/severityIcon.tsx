import { Icon } from './icon';
import './sign.css';

const icons = { error: 'error', warning: 'warning', information: 'info', hint: 'info', good: 'pass' } as const;

/** How bad a finding is. What it means stands beside it. */
export function SeverityIcon({ kind }: { readonly kind: keyof typeof icons }) {
  return (
    <span class={`sign sign-${kind}`}>
      <Icon name={icons[kind]} />
    </span>
  );
}
