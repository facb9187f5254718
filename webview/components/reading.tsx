import './reading.css';

export interface ReadingProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly part: number;
  /** Localized progress. */
  readonly text: string;
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** Progress of reading a file, with a button to cancel it. */
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
