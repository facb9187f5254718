import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';
import './searchField.css';

/** Debounce of the search. */
const pauseMs = 250;

export interface SearchFieldProps {
  readonly label: string;
  /** A longer tooltip than the label. */
  readonly hint?: string;
  /** The current query. */
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** A search box. Searches when typing pauses, at once on Enter; Escape clears it. */
export function SearchField({ label, hint, query, onSearch }: SearchFieldProps) {
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const current = useRef(query);
  current.current = query;
  // Prevents a render during typing from resetting the text.
  const typed = useRef<string>(undefined);
  const search = (text: string) => {
    clearTimeout(timer.current);
    typed.current = undefined;
    if (text !== current.current) onSearch(text);
  };
  const type = (text: string, isComposing: boolean) => {
    clearTimeout(timer.current);
    typed.current = text;
    if (!isComposing) timer.current = window.setTimeout(() => search(text), pauseMs);
  };
  return (
    <span class="bar-field bar-search">
      <Icon name="search" />
      <input
        type="text"
        dir="auto"
        role="searchbox"
        maxLength={1000}
        aria-label={label}
        title={hint}
        placeholder={label}
        value={typed.current ?? query}
        onInput={({ currentTarget, isComposing }) => type(currentTarget.value, isComposing)}
        onCompositionEnd={({ currentTarget }) => type(currentTarget.value, false)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') search(currentTarget.value);
          if (key !== 'Escape') return;
          currentTarget.value = '';
          search('');
        }}
      />
    </span>
  );
}
