import * as l10n from '@vscode/l10n';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import type { Preview } from './previewContext';

export function Toolbar({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  const { table } = session;
  const { onlyProblems, query } = table.choice.value;
  return (
    <div class="preview-bar">
      <SearchField
        label={l10n.t('Search ids and texts')}
        query={query}
        onSearch={(text) => session.change({ query: text })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={onlyProblems}
          onChange={(event) => session.change({ onlyProblems: event.currentTarget.checked })}
        />
        {l10n.t('Only with problems')}
      </label>
      <Jump preview={preview} />
      <MatchCount table={table} instead={session.jumpMissing.value} stop={l10n.t('Stop the search')} />
    </div>
  );
}

function Jump({ preview: { session, announcer } }: { readonly preview: Preview }) {
  const jump = async (input: HTMLInputElement) => {
    const line = Number(input.value);
    if (!Number.isInteger(line) || line < 1) return input.select();
    const isShown = await session.table.show(line - 1);
    const missing = isShown ? '' : l10n.t('Line {0} is not among the lines shown', input.value);
    session.jumpMissing.value = missing;
    announcer.say(missing);
  };
  return (
    <span class="bar-field preview-jump">
      <input
        type="text"
        inputMode="numeric"
        maxLength={10}
        aria-label={l10n.t('Line number')}
        placeholder={l10n.t('Line number')}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') void jump(currentTarget);
        }}
      />
    </span>
  );
}
