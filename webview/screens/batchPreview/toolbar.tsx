import { fill } from '../../components/fill';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import type { Preview } from './previewContext';

export function Toolbar({ preview }: { readonly preview: Preview }) {
  const { session, strings } = preview;
  const { table } = session;
  const { onlyProblems, query } = table.choice.value;
  return (
    <div class="preview-bar">
      <SearchField label={strings.search} query={query} onSearch={(text) => session.change({ query: text })} />
      <label class="check">
        <input
          type="checkbox"
          checked={onlyProblems}
          onChange={(event) => session.change({ onlyProblems: event.currentTarget.checked })}
        />
        {strings.onlyProblems}
      </label>
      <Jump preview={preview} />
      <MatchCount table={table} instead={session.jumpMissing.value} stop={strings.stopSearch} />
    </div>
  );
}

function Jump({ preview: { session, strings, announcer } }: { readonly preview: Preview }) {
  const jump = async (input: HTMLInputElement) => {
    const line = Number(input.value);
    if (!Number.isInteger(line) || line < 1) return input.select();
    const isShown = await session.table.show(line - 1);
    const missing = isShown ? '' : fill(strings.jumpMissing, input.value);
    session.jumpMissing.value = missing;
    announcer.say(missing);
  };
  return (
    <span class="bar-field preview-jump">
      <input
        type="text"
        inputMode="numeric"
        maxLength={10}
        aria-label={strings.jump}
        placeholder={strings.jump}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') void jump(currentTarget);
        }}
      />
    </span>
  );
}
