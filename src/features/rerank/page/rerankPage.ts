import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { CallContext, Handlers } from '../../../protocol/call';
import type { RerankProgress, RerankScreen } from '../../../protocol/rerank';
import type { Services } from '../../../services/services';
import { rerankHandlers } from '../rerankHandlers';
import type { RerankHistory } from './rerankHistory';
import { readAgain } from './rerankMessages';
import type { EditorScores } from './editorScores';
import { goToDocument } from './goToDocument';
import { rerankParams } from './rerankParams';
import { foreign } from '../../../core/text/foreignText';

export interface RerankPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  /** Owned, and disposed, by the page. */
  readonly history: RerankHistory;
  readonly scores: EditorScores;
}

/** Shows a ranking in a tab. Dispose it when the tab is closed, which stops running work. */
export function showRerank({ services, panel, history, scores }: RerankPageOptions): Disposable {
  const store = new DisposableStore();
  let isOpen = true;
  store.add(history);
  panel.iconPath = panelIcon(services.context.extensionUri, 'rerank');
  const name = () => {
    const { source } = history.controller.record;
    panel.title = source ? l10n.t('Rerank {0}', foreign(source.title)) : l10n.t('Rerank');
  };
  name();

  const following = ({ signal, emit }: CallContext<RerankProgress>) => {
    const ending = new AbortController();
    // A hidden page drops its calls, but only the user may stop paid work.
    signal.addEventListener('abort', () => (!isOpen || panel.visible) && ending.abort());
    return { signal: ending.signal, emit };
  };
  const host = store.add(
    showScreen({
      screen: 'rerank',
      title: l10n.t('Rerank'),
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf({ services, panel, history, scores }, following),
      params: rerankParams,
      log: services.log,
    }),
  );
  store.add(
    history.onDidChange(() => {
      name();
      host.tell('rerank/changed', history.controller.page());
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  // `visible` must not be read on a panel that was closed, so this is disposed first.
  store.add({ dispose: () => (isOpen = false) });
  return store;
}

type Following = (context: CallContext<RerankProgress>) => CallContext<RerankProgress>;

function handlersOf(
  { services, panel, history, scores }: RerankPageOptions,
  following: Following,
): Handlers<RerankScreen> {
  const handlers = rerankHandlers(
    () => history.controller,
    {
      chooseSource: (kind, signal) => history.choose(kind, signal),
      goTo: (controller, index) => goToDocument(controller.document(index), panel.viewColumn),
      reorder: (controller, keep) =>
        scores.reorder(controller, keep, (written) => {
          history.takeReordered(controller, written).catch(services.report);
        }),
      showScores: (controller, isShown) => scores.show(controller, isShown),
      copy: (text) => vscode.env.clipboard.writeText(text),
      act: (_desk, action) => act(action, history),
    },
    following,
  );
  return {
    ...handlers,
    async 'rerank/ready'(params, context) {
      await history.refresh();
      return handlers['rerank/ready'](params, context);
    },
    async 'rerank/run'(params, context) {
      const { controller } = history;
      const page = await handlers['rerank/run'](params, context);
      // Otherwise the scores of the previous ranking would stay next to the text.
      if (page.ranking && scores.isShown(controller)) await scores.show(controller, true).catch(services.report);
      return page;
    },
  };
}

/** Unknown action ids do nothing: the page is not trusted. */
async function act(action: string, history: RerankHistory): Promise<void> {
  if (action === readAgain) await history.readAgain();
  else if (action === 'retry') await history.refresh();
  else await runAction(action);
}
