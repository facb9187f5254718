import { ignoreHeldEnter, isFirstClick } from './sendOnce';

interface FailedRowProps {
  readonly class: string;
  /** Localized number of failures. */
  readonly count: string;
  readonly strings: { readonly retryFailed: string; readonly clearFailed: string };
  readonly onAct: (action: 'retry' | 'clear') => void;
}

/** Actions on all failed items. A retry costs money, so a double click or a held Enter key starts only one. */
export function FailedRow({ class: name, count, strings, onAct }: FailedRowProps) {
  return (
    <p class={name}>
      <span>{count}</span>
      <button
        type="button"
        class="link"
        onKeyDown={ignoreHeldEnter}
        onClick={(event) => isFirstClick(event) && onAct('retry')}
      >
        {strings.retryFailed}
      </button>
      <button type="button" class="link" onClick={() => onAct('clear')}>
        {strings.clearFailed}
      </button>
    </p>
  );
}
