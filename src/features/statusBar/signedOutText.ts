import * as vscode from 'vscode';
import { commandLink, joined, markdown } from '../../platform/notify';

export interface StatusText {
  readonly text: string;
  readonly spoken: string;
  readonly tooltip: vscode.MarkdownString;
}

/** Returns the status bar text while nobody is signed in. */
export function signedOutText(): StatusText {
  const words = vscode.l10n.t('Inference Desk: sign in');
  const links = [
    commandLink(vscode.l10n.t('Sign in'), 'inferenceDesk.signIn'),
    commandLink(vscode.l10n.t('Try the demo service'), 'inferenceDesk.demo.start'),
  ];
  const tooltip = joined([markdown`${vscode.l10n.t('No service is signed in.')}`, joined(links, ' · ')]);
  return { text: `$(plug) ${words}`, spoken: words, tooltip };
}
