import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import './actionBar.css';
import { Icon } from './icon';
import type { IconName } from './iconNames';
import { createMenus, type OpenMenu } from './menu';
import { titled } from '../../src/protocol/sentences';

export interface BarAction {
  /** Its button has the class `bar-<id>`. */
  readonly id: string;
  readonly icon: IconName;
  /** Names the button, and is its line in the menu. */
  readonly label: string;
  /** More than the label says, for those who point at it. */
  readonly hint?: string;
  /** Said beside the icon where there is room: what is set. */
  readonly text?: string;
  /** What is wrong with that, as a sentence; shown by a sign in place of the icon. */
  readonly warning?: string;
  /** How much room the bar must have, else the action stands in its menu. */
  readonly room: 'some' | 'much';
  /** What it opens and closes: the id of that element while it is there. */
  readonly panel?: { readonly id: string; readonly open: Signal<boolean> };
  readonly run: () => void;
}

export interface ActionBarProps {
  readonly actions: readonly BarAction[];
  readonly moreLabel: string;
}

/**
 * Buttons of a bar; those without room stand in a menu at its end. The room is that of the nearest element which is a
 * container (`container: bar / inline-size`).
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

/** Puts the focus on an action's button, or on the menu it stands in. */
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
