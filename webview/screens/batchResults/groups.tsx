import * as l10n from '@vscode/l10n';
import type { ResultsGroup } from '../../../src/protocol/batchResults';
import { IconButton } from '../../components/iconButton';
import type { Results } from './resultsContext';

/** The kinds of errors with their counts. Each kind can be filtered by, opened at its first line, and retried. */
export function Groups({ results }: { readonly results: Results }) {
  const { session } = results;
  const { tab, group: chosen } = session.table.choice.value;
  const groups = session.summary.value?.groups ?? [];
  if (tab !== 'failed' || groups.length === 0) return null;
  return (
    <ul class="results-groups" aria-label={l10n.t('Errors by kind')} tabIndex={0}>
      {groups.map((group) => (
        <Group key={group.group} group={group} isChosen={group.group === chosen} results={results} />
      ))}
      {chosen !== null && (
        <li class="results-group">
          <button type="button" class="link" onClick={() => session.table.change({ group: null })}>
            {l10n.t('Show all failures')}
          </button>
        </li>
      )}
    </ul>
  );
}

interface GroupProps {
  readonly group: ResultsGroup;
  readonly isChosen: boolean;
  readonly results: Results;
}

function Group({ group: { group, text, count, row }, isChosen, results: { session } }: GroupProps) {
  return (
    <li class="results-group">
      <button
        type="button"
        class="results-group-name"
        aria-pressed={isChosen}
        title={text}
        onClick={() => session.table.change({ group: isChosen ? null : group })}
      >
        <span class="results-group-count">{count}</span>
        <bdi class="results-group-text">{text}</bdi>
      </button>
      <IconButton
        icon="go-to-file"
        label={l10n.t('Go to the first line that failed so')}
        onClick={() => session.goTo(row)}
      />
      <IconButton
        icon="debug-restart"
        label={l10n.t('Retry those that failed so')}
        onClick={() => session.retry({ group })}
      />
    </li>
  );
}
