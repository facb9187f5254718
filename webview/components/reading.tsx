import './reading.css';

export interface ReadingProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly part: number;
  /** Worded: how far it is. */
  readonly text: string;
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** How far the reading of a file is, and the way to end it. */
export function Reading({ label, part, text, cancel, onCancel }: ReadingProps) {
  return (
    <div class="reading">
      <span>{label}</span>
      <progress class="reading-bar" aria-label={label} max={1} value={part} />
      <span class="reading-text">{text}</span>
      <button type="button" class="link" onClick={onCancel}>
        {cancel}
      </button>
    </div>
  );
}
