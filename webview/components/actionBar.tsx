import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import './actionBar.css';
import { Icon } from './icon';
import type { IconName } from './iconNames';
import { createMenus, type OpenMenu } from './menu';
import { titled } from '../../src/protocol/sentences';

export interface BarAction {
  /** The button gets the class `bar-<id>`. */
  readonly id: string;
  readonly icon: IconName;
  /** The button's accessible name and its label in the overflow menu. */
  readonly label: string;
  /** A longer tooltip than the label. */
  readonly hint?: string;
  /** The current setting, shown beside the icon if the bar is wide enough. */
  readonly text?: string;
  /** What is wrong with the current setting, as a sentence. A warning icon then replaces the action's own icon. */
  readonly warning?: string;
  /** How wide the bar must be to show the button; in a narrower bar the action moves to the overflow menu. */
  readonly room: 'some' | 'much';
  /** The element the button opens and closes: its id while it exists. */
  readonly panel?: { readonly id: string; readonly open: Signal<boolean> };
  readonly run: () => void;
}

export interface ActionBarProps {
  readonly actions: readonly BarAction[];
  readonly moreLabel: string;
}

/**
 * The buttons of a bar. Those that do not fit move to an overflow menu at its end. The available width is that of the nearest
 * ancestor that is a container (`container: bar / inline-size`).
 */
export function ActionBar({ actions, moreLabel }: ActionBarProps) {
  const menus = useRef<OpenMenu>(undefined);
  const openMore = (more: HTMLElement) => {
    menus.current ??= createMenus(more.closest('main') ?? document.body);
    const bar = more.parentElement;
    const hidden = actions.filter(({ id }) => !isShown(bar?.querySelector(`.bar-${id}`)));
    menus.current(
      more,
      hidden.map((action) => ({ label: fullLabel(action), run: action.run })),
    );
  };
  return (
    <>
      {actions.map((action) => (
        <ActionButton key={action.id} action={action} />
      ))}
      <button
        type="button"
        class="bar-button bar-more"
        title={moreLabel}
        aria-label={moreLabel}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => openMore(currentTarget)}
      >
        <Icon name="ellipsis" />
      </button>
    </>
  );
}

function ActionButton({ action }: { readonly action: BarAction }) {
  const { id, icon, hint, text, warning, room, panel, run } = action;
  const isOpen = panel?.open.value ?? false;
  return (
    <button
      type="button"
      class={`bar-button bar-${id} bar-${room}`}
      data-set={text !== undefined}
      title={hint ?? fullLabel(action)}
      aria-label={fullLabel(action)}
      {...(panel && { 'aria-haspopup': 'dialog', 'aria-expanded': isOpen })}
      {...(panel && isOpen && { 'aria-controls': panel.id })}
      onClick={run}
    >
      <Icon name={warning === undefined ? icon : 'warning'} />
      {text !== undefined && <span class="bar-text">{text}</span>}
    </button>
  );
}

/** Moves the focus to an action's button, or to the overflow button if the action's own button is hidden. */
export function focusAction(id: string): void {
  const buttons = [`.bar-${id}`, '.bar-more'].map((selector) => document.querySelector<HTMLElement>(selector));
  buttons.find(isShown)?.focus();
}

function isShown(button: HTMLElement | null | undefined): boolean {
  return button instanceof HTMLElement && button.offsetParent !== null;
}

function fullLabel({ label, text, warning }: BarAction): string {
  const named = text === undefined ? label : `${label}, ${text}`;
  return warning === undefined ? named : titled(named, warning);
}
