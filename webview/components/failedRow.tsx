import { ignoreHeldEnter, isFirstClick } from './sendOnce';

interface FailedRowProps {
  readonly class: string;
  /** How many failed, in words. */
  readonly count: string;
  readonly strings: { readonly retryFailed: string; readonly clearFailed: string };
  readonly onAct: (action: 'retry' | 'clear') => void;
}

/** What can be done with all that failed. To retry costs: one press does it once. */
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
