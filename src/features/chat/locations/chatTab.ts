import * as vscode from 'vscode';
import { panelIcon } from '../../../platform/panelIcon';
import { isConversationId } from '../../../core/conversation/conversationFolder';
import type { PageFrame } from '../chatPage';
import { foreign } from '../../../core/text/foreignText';

const tabType = 'inferenceDesk.chatEditor';
/** Longer ones would leave no room for other tabs: the editor does not shorten them. */
const maxTitle = 40;

/** What the page of a tab kept over a reload of the window: the conversation it showed. */
export function readTabState(state: unknown): string | undefined {
  const id =
    typeof state === 'object' && state !== null && 'conversationId' in state ? state.conversationId : undefined;
  return isConversationId(id) ? id : undefined;
}

/** An empty tab beside the others of the active group. */
export function createTab(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(tabType, vscode.l10n.t('Chat'), vscode.ViewColumn.Active);
}

/** Gives a tab its icon, and the page in it what it needs to know of it. */
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

/** Shows the person's name for the conversation, or the one made from its first question. */
export function nameTab(panel: vscode.WebviewPanel, title: string): void {
  const characters = Array.from(title);
  const short = characters.length > maxTitle ? `${characters.slice(0, maxTitle).join('').trimEnd()}…` : title;
  panel.title = title === '' ? vscode.l10n.t('New Conversation') : foreign(short);
}
