import { useId, useRef } from 'preact/hooks';
import { Icon } from './icon';
import { IconButton } from './iconButton';
import { FieldNote } from './parameter';
import type { FieldNoteProps } from './parameter';

export interface ListWords {
  readonly label: string;
  /** Shown if there is at least one entry. */
  readonly hint: string;
  readonly entry: (number: string) => string;
  readonly add: string;
  /** Takes the entry, or its number if it is empty. */
  readonly remove: (entry: string) => string;
}

export interface ListFieldProps {
  readonly words: ListWords;
  readonly entries: readonly string[];
  /** Errors by the entry's index. */
  readonly issues?: Readonly<Record<number, string>>;
  readonly note: FieldNoteProps;
  readonly disabled?: boolean;
  readonly onChange: (entries: readonly string[]) => void;
}

/** One text box per entry. Enter adds an entry; Backspace in an empty one removes it. */
export function ListField({ words, entries, issues = {}, note, disabled = false, onChange }: ListFieldProps) {
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const boxes = group.current?.querySelectorAll<HTMLElement>('input');
      (boxes?.[index] ?? group.current?.querySelector<HTMLElement>('.parameter-add'))?.focus();
    });
  const add = (at: number) => {
    onChange(entries.toSpliced(at, 0, ''));
    focus(at);
  };
  const remove = (at: number) => {
    onChange(entries.toSpliced(at, 1));
    focus(Math.max(0, at - 1));
  };
  return (
    <div class="parameter" role="group" aria-labelledby={id} aria-describedby={`${id}-hint ${id}-note`} ref={group}>
      <span class="parameter-label" id={id}>
        {words.label}
      </span>
      {entries.map((entry, index) => (
        <ListEntry
          key={index}
          words={words}
          entry={entry}
          index={index}
          issue={issues[index]}
          disabled={disabled}
          onInput={(value) => onChange(entries.with(index, value))}
          onAdd={() => add(index + 1)}
          onRemove={() => remove(index)}
        />
      ))}
      {!disabled && (
        <button type="button" class="link parameter-add" onClick={() => add(entries.length)}>
          <Icon name="add" />
          {words.add}
        </button>
      )}
      <span class="parameter-hint" id={`${id}-hint`}>
        {entries.length > 0 && words.hint}
      </span>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

interface ListEntryProps {
  readonly words: ListWords;
  readonly entry: string;
  readonly index: number;
  readonly issue: string | undefined;
  readonly disabled: boolean;
  readonly onInput: (value: string) => void;
  readonly onAdd: () => void;
  readonly onRemove: () => void;
}

function ListEntry({ words, entry, index, issue, disabled, onInput, onAdd, onRemove }: ListEntryProps) {
  const id = useId();
  const number = String(index + 1);
  return (
    <div class="parameter-row">
      <div class="parameter-entry">
        <input
          class="parameter-input parameter-code"
          type="text"
          dir="auto"
          autocomplete="off"
          disabled={disabled}
          aria-label={words.entry(number)}
          aria-invalid={issue !== undefined}
          aria-describedby={`${id}-note`}
          value={entry}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onAdd();
            else if (event.key === 'Backspace' && entry === '') onRemove();
            else return;
            event.preventDefault();
          }}
        />
        {!disabled && <IconButton icon="close" label={words.remove(entry || number)} onClick={onRemove} />}
      </div>
      <FieldNote id={`${id}-note`} issue={issue} />
    </div>
  );
}
