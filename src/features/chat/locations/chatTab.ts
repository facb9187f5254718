import * as vscode from 'vscode';
import { panelIcon } from '../../../platform/panelIcon';
import { isConversationId } from '../../../core/conversation/conversationFolder';
import type { PageFrame } from '../chatPage';
import { foreign } from '../../../core/text/foreignText';

const tabType = 'inferenceDesk.chatEditor';
/** The editor does not shorten titles, so a longer one would leave no space for other tabs. */
const maxTitle = 40;

/** Returns the id of the conversation that a tab's page saved for a reload of the window. */
export function readTabState(state: unknown): string | undefined {
  const id =
    typeof state === 'object' && state !== null && 'conversationId' in state ? state.conversationId : undefined;
  return isConversationId(id) ? id : undefined;
}

/** Creates an empty tab in the active group. */
export function createTab(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(tabType, vscode.l10n.t('Chat'), vscode.ViewColumn.Active);
}

/** Sets a tab's icon and returns the frame for its page. */
export function frameOfTab(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): PageFrame {
  panel.iconPath = panelIcon(extensionUri, 'chat');
  return {
    webview: panel.webview,
    isTab: true,
    get visible() {
      return panel.visible;
    },
    onDidChangeVisibility: panel.onDidChangeViewState,
    onDidDispose: panel.onDidDispose,
  };
}

/** Sets the tab's title to the conversation's title, given by the user or derived from its first question. */
export function nameTab(panel: vscode.WebviewPanel, title: string): void {
  const characters = Array.from(title);
  const short = characters.length > maxTitle ? `${characters.slice(0, maxTitle).join('').trimEnd()}…` : title;
  panel.title = title === '' ? vscode.l10n.t('New Conversation') : foreign(short);
}
