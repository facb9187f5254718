import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { createMenus, type OpenMenu } from '../../components/menu';
import { Icon } from '../../components/icon';
import type { RerankSession } from './session';
import { sources } from './sources';

/** The source of the documents, and a menu to choose another. */
export function Head({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const reading = session.reading.value;
  const hasSource = page !== undefined && page.source !== '';
  return (
    <header class="rerank-head">
      <h1 class="rerank-title">{l10n.t('Rerank')}</h1>
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
          {l10n.t('Reading the texts')}
          <button type="button" class="link" onClick={() => reading.abort()}>
            {l10n.t('Stop')}
          </button>
        </span>
      )}
      {hasSource && <ChangeSource session={session} />}
    </header>
  );
}

function ChangeSource({ session }: { readonly session: RerankSession }) {
  const menus = useRef<OpenMenu>(undefined);
  const open = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    const items = sources().map(({ kind, name }) => ({
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
      {l10n.t('Change source')}
      <Icon name="chevron-down" />
    </button>
  );
}
