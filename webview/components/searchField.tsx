import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';
import './searchField.css';

/** A search begins when typing pauses. */
const pauseMs = 250;

export interface SearchFieldProps {
  readonly label: string;
  /** More than the label says, for those who point at it. */
  readonly hint?: string;
  /** What is searched now. */
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** Searches when typing pauses, at once on Enter; Escape empties it. */
export function SearchField({ label, hint, query, onSearch }: SearchFieldProps) {
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const current = useRef(query);
  current.current = query;
  // Else what is drawn anew while someone types would empty it.
  const typed = useRef<string>(undefined);
  const search = (text: string) => {
    clearTimeout(timer.current);
    typed.current = undefined;
    if (text !== current.current) onSearch(text);
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
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          typed.current = value;
          timer.current = window.setTimeout(() => search(value), pauseMs);
        }}
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
