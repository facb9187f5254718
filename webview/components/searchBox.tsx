import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface SearchBoxProps {
  readonly listId: string;
  readonly activeId: string | undefined;
  readonly label: string;
  readonly query: Signal<string>;
  readonly onInput: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The search box of a list: takes the focus, and retains it while the arrow keys move through the list. */
export function SearchBox({ listId, activeId, label, query, onInput, onKeyDown }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      class="picker-search"
      type="text"
      dir="auto"
      role="combobox"
      aria-expanded="true"
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={activeId}
      aria-label={label}
      placeholder={label}
      value={query.value}
      onInput={(event) => {
        query.value = event.currentTarget.value;
        onInput();
      }}
      onKeyDown={onKeyDown}
    />
  );
}
