import { useRef } from 'preact/hooks';
import { createMenus, type OpenMenu } from '../../components/menu';
import { Icon } from '../../components/icon';
import type { Rerank } from './rerankContext';
import { sourcesOf } from './sources';

/** The source of the documents, and a menu to choose another. */
export function Head({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings } = rerank;
  const page = session.page.value;
  const reading = session.reading.value;
  const hasSource = page !== undefined && page.source !== '';
  return (
    <header class="rerank-head">
      <h1 class="rerank-title">{strings.title}</h1>
      {hasSource && (
        <>
          <span class="rerank-source" title={page.source}>
            <bdi>{page.source}</bdi>
          </span>
          <span class="rerank-facts">{page.facts}</span>
        </>
      )}
      {reading && (
        <span class="rerank-reading">
          {strings.readingSource}
          <button type="button" class="link" onClick={() => reading.abort()}>
            {strings.stop}
          </button>
        </span>
      )}
      {hasSource && <ChangeSource rerank={rerank} />}
    </header>
  );
}

function ChangeSource({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings } = rerank;
  const menus = useRef<OpenMenu>(undefined);
  const open = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    const items = sourcesOf(strings).map(({ kind, name }) => ({
      label: name,
      run: () => void session.chooseSource(kind),
    }));
    menus.current(button, items);
  };
  return (
    <button
      type="button"
      class="link rerank-change"
      aria-haspopup="menu"
      aria-expanded={false}
      disabled={session.runner.running.value !== undefined}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      {strings.changeSource}
      <Icon name="chevron-down" />
    </button>
  );
}
