import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/reportError';
import { showScreen } from '../../../platform/webviewHost';
import type { CallContext, Handlers } from '../../../protocol/call';
import type { RerankProgress, RerankScreen } from '../../../protocol/rerank';
import type { Services } from '../../../services';
import { rerankHandlers } from '../rerankHandlers';
import { rerankStrings } from '../rerankStrings';
import type { DeskShelf } from './deskShelf';
import { readAgain } from './deskWords';
import type { EditorScores } from './editorScores';
import { goToDocument } from './goToDocument';
import { rerankParams } from './rerankParams';
import { foreign } from '../../../core/text/foreignText';

export interface RerankPageOptions {
  readonly services: Pick<Services, 'context' | 'log' | 'models' | 'report'>;
  readonly panel: vscode.WebviewPanel;
  /** Owned by the page from now on. */
  readonly shelf: DeskShelf;
  readonly scores: EditorScores;
}

/** Fills a tab with what is ranked. To be disposed when the tab is closed: what is running ends then. */
export function showRerank({ services, panel, shelf, scores }: RerankPageOptions): Disposable {
  const store = new DisposableStore();
  let isOpen = true;
  store.add(shelf);
  panel.iconPath = panelIcon(services.context.extensionUri, 'rerank');
  const name = () => {
    const { source } = shelf.desk.record;
    panel.title = source ? l10n.t('Rerank {0}', foreign(source.title)) : l10n.t('Rerank');
  };
  name();

  const following = ({ signal, emit }: CallContext<RerankProgress>) => {
    const ending = new AbortController();
    // A page that is hidden leaves its calls; only a person ends what was paid for.
    signal.addEventListener('abort', () => (!isOpen || panel.visible) && ending.abort());
    return { signal: ending.signal, emit };
  };
  const host = store.add(
    showScreen({
      screen: 'rerank',
      title: l10n.t('Rerank'),
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      strings: rerankStrings(),
      handlers: handlersOf({ services, panel, shelf, scores }, following),
      params: rerankParams,
      log: services.log,
    }),
  );
  store.add(
    shelf.onDidChange(() => {
      name();
      host.tell('rerank/changed', shelf.desk.page());
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  // The first to go: a panel that was closed cannot be asked whether it is visible.
  store.add({ dispose: () => (isOpen = false) });
  return store;
}

type Following = (context: CallContext<RerankProgress>) => CallContext<RerankProgress>;

function handlersOf(
  { services, panel, shelf, scores }: RerankPageOptions,
  following: Following,
): Handlers<RerankScreen> {
  const handlers = rerankHandlers(
    () => shelf.desk,
    {
      chooseSource: (kind, signal) => shelf.choose(kind, signal),
      goTo: (desk, index) => goToDocument(desk.document(index), panel.viewColumn),
      reorder: (desk, keep) =>
        scores.reorder(desk, keep, (written) => {
          shelf.takeReordered(desk, written).catch(services.report);
        }),
      showScores: (desk, isShown) => scores.show(desk, isShown),
      copy: (text) => vscode.env.clipboard.writeText(text),
      act: (_desk, action) => act(action, shelf),
    },
    following,
  );
  return {
    ...handlers,
    async 'rerank/ready'(params, context) {
      await shelf.refresh();
      return handlers['rerank/ready'](params, context);
    },
    async 'rerank/run'(params, context) {
      const { desk } = shelf;
      const page = await handlers['rerank/run'](params, context);
      // Those of the ranking before would stand beside the text else.
      if (page.ranking && scores.isShown(desk)) await scores.show(desk, true).catch(services.report);
      return page;
    },
  };
}

/** Ids that are no step known here do nothing: the page is not trusted. */
async function act(action: string, shelf: DeskShelf): Promise<void> {
  if (action === readAgain) await shelf.readAgain();
  else if (action === 'retry') await shelf.refresh();
  else await runAction(action);
}
