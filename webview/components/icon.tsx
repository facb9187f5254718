import type { IconName } from './iconNames';

interface IconProps {
  readonly name: IconName;
  readonly class?: string;
  readonly isSpinning?: boolean;
}

/** A VS Code icon (codicon). Hidden from screen readers, because its meaning is in the text next to it or on its button. */
export function Icon({ name, class: place, isSpinning }: IconProps) {
  const classes = ['codicon', `codicon-${name}`, isSpinning && 'codicon-modifier-spin', place].filter(Boolean);
  return <span class={classes.join(' ')} aria-hidden="true" />;
}
