import './menu.css';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/**
 * Opens a menu at a button or the pointer, closing any other. Arrow keys move through it. Escape, Tab, a click outside, and scrolling close
 * it. It stays where it is during automatic scrolling, as of a log while an answer grows.
 */
export type OpenMenu = (button: HTMLElement, items: readonly MenuItem[], pointer?: MouseEvent) => void;

/** Pixels kept free around a menu. */
const margin = 4;

/** `root` must outlive the menus. */
export function createMenus(root: HTMLElement): OpenMenu {
  let closeOpen = () => {};

  return (button, items, pointer) => {
    const wasOpen = button.getAttribute('aria-expanded') === 'true';
    closeOpen();
    if (wasOpen && !pointer) return;
    const menu = document.createElement('div');
    menu.className = 'menu';
    menu.role = 'menu';
    menu.ariaLabel = button.ariaLabel;
    const listening = new AbortController();
    const close = () => {
      listening.abort();
      menu.remove();
      button.setAttribute('aria-expanded', 'false');
      closeOpen = () => {};
    };
    menu.append(
      ...items.map(({ label, run }) =>
        createItem(label, () => {
          close();
          button.focus();
          run();
        }),
      ),
    );
    menu.addEventListener('keydown', (event) => onKey(event, menu, () => (close(), button.focus())));
    root.append(menu);
    place(menu, pointer && isAt(pointer) ? pointer : button);
    button.setAttribute('aria-expanded', 'true');
    closeOpen = close;
    closeOutside(menu, button, close, listening.signal);
    menu.querySelector<HTMLElement>('.menu-item')?.focus();
  };
}

function createItem(label: string, run: () => void): HTMLElement {
  const item = document.createElement('button');
  item.type = 'button';
  item.className = 'menu-item';
  item.role = 'menuitem';
  item.tabIndex = -1;
  item.textContent = label;
  item.addEventListener('click', run);
  return item;
}

/** Whether the event has a position. That of the menu key has none. */
function isAt({ clientX, clientY }: MouseEvent): boolean {
  return clientX > 0 || clientY > 0;
}

/** Positions the menu below the button if it fits, else above it, or at the pointer; never outside the page. */
function place(menu: HTMLElement, where: HTMLElement | MouseEvent): void {
  const { width, height } = menu.getBoundingClientRect();
  const at =
    where instanceof MouseEvent
      ? { right: where.clientX + width, bottom: where.clientY - margin, top: where.clientY + margin }
      : where.getBoundingClientRect();
  const left = Math.min(at.right - width, window.innerWidth - width - margin);
  const below = at.bottom + margin;
  const top = below + height + margin <= window.innerHeight ? below : at.top - height - margin;
  menu.style.left = `${Math.max(margin, left)}px`;
  menu.style.top = `${Math.max(margin, top)}px`;
}

function onKey(event: KeyboardEvent, menu: HTMLElement, leave: () => void): void {
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
  const index = items.findIndex((item) => item === document.activeElement);
  const next: Readonly<Record<string, number>> = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: (index - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = next[event.key];
  if (target !== undefined) items[target]?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') leave();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function closeOutside(menu: HTMLElement, button: HTMLElement, close: () => void, signal: AbortSignal): void {
  const isIn = ({ target }: Event, element: HTMLElement) => target instanceof Node && element.contains(target);
  const onPress = (event: Event) => isIn(event, menu) || isIn(event, button) || close();
  const onScroll = (event: Event) => isIn(event, menu) || close();
  document.addEventListener('pointerdown', onPress, { signal });
  for (const scrolls of ['wheel', 'touchmove'])
    document.addEventListener(scrolls, onScroll, { signal, capture: true, passive: true });
  window.addEventListener('blur', close, { signal });
  window.addEventListener('resize', close, { signal });
}
