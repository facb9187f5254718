import * as l10n from '@vscode/l10n';
import { ignoreHeldEnter, isFirstClick } from './sendOnce';

interface FailedRowProps {
  readonly class: string;
  /** Localized number of failures. */
  readonly count: string;
  readonly canRetry: boolean;
  /** The label of the retry, with its price. */
  readonly retryLabel?: string | undefined;
  readonly onAct: (action: 'retry' | 'clear') => void;
}

/** Actions on all failed items. A retry costs money, so a double click or a held Enter key starts only one. */
export function FailedRow({ class: name, count, canRetry, retryLabel, onAct }: FailedRowProps) {
  return (
    <p class={name}>
      <span>{count}</span>
      {canRetry && (
        <button
          type="button"
          class="link"
          onKeyDown={ignoreHeldEnter}
          onClick={(event) => isFirstClick(event) && onAct('retry')}
        >
          {retryLabel ?? l10n.t('Retry Failed')}
        </button>
      )}
      <button type="button" class="link" onClick={() => onAct('clear')}>
        {l10n.t('Clear Failed')}
      </button>
    </p>
  );
}
