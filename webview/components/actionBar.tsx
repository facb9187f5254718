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
  /** The current setting, part of the button's name. */
  readonly text?: string;
  /** A number shown next to the icon; without it, a dot shows that something is set. */
  readonly count?: string;
  /** The problem of the current setting, as a sentence. A warning icon then replaces the action's icon. */
  readonly warning?: string;
  /** `some`: shown unless the bar is so narrow that an overflow menu has it. `much`: only shown in a wide bar, and in that menu. */
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
 * The buttons of a bar. In a very narrow one they move to an overflow menu at its end. The available width is that of the nearest
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

export function ActionButton({ action }: { readonly action: BarAction }) {
  const { id, icon, hint, text, count, warning, room, panel, run } = action;
  const isOpen = panel?.open.value ?? false;
  return (
    <button
      type="button"
      class={`bar-button bar-${id} bar-${room}`}
      data-set={text !== undefined && count === undefined}
      title={hint ?? fullLabel(action)}
      aria-label={fullLabel(action)}
      {...(panel && { 'aria-haspopup': 'dialog', 'aria-expanded': isOpen })}
      {...(panel && isOpen && { 'aria-controls': panel.id })}
      onClick={run}
    >
      <Icon name={warning === undefined ? icon : 'warning'} />
      {count !== undefined && <span class="bar-count">{count}</span>}
    </button>
  );
}

/**
 * Moves the focus to an action's button, or to the overflow button if the action's own button is hidden. Returns false if both are, as
 * where a command opened the panel.
 */
export function focusAction(id: string): boolean {
  const buttons = [`.bar-${id}`, '.bar-more'].map((selector) => document.querySelector<HTMLElement>(selector));
  const shown = buttons.find(isShown);
  shown?.focus();
  return shown !== undefined;
}

function isShown(button: HTMLElement | null | undefined): boolean {
  return button instanceof HTMLElement && button.offsetParent !== null;
}

function fullLabel({ label, text, warning }: BarAction): string {
  const named = text === undefined ? label : `${label}, ${text}`;
  return warning === undefined ? named : titled(named, warning);
}
