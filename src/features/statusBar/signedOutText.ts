import * as vscode from 'vscode';

export interface StatusText {
  readonly text: string;
  readonly spoken: string;
  readonly tooltip: vscode.MarkdownString;
}

/** Commands the tooltip may link to. */
const linked = [
  'inferenceDesk.signIn',
  'inferenceDesk.demo.start',
  'inferenceDesk.refreshAccount',
  'inferenceDesk.switchProfile',
  'inferenceDesk.manageKey',
  'inferenceDesk.account.focus',
] as const;

/** What stands there while no service is signed in. */
export function signedOutText(): StatusText {
  const words = vscode.l10n.t('Inference Desk: sign in');
  const tooltip = trusted();
  tooltip.appendText(vscode.l10n.t('No service is signed in.'));
  tooltip.appendMarkdown('\n\n');
  links(tooltip, [
    ['inferenceDesk.signIn', vscode.l10n.t('Sign in')],
    ['inferenceDesk.demo.start', vscode.l10n.t('Try the demo service')],
  ]);
  return { text: `$(plug) ${words}`, spoken: words, tooltip };
}

/** A text whose links may call the commands above. */
export function trusted(): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: linked };
  return text;
}

export function links(
  text: vscode.MarkdownString,
  entries: readonly (readonly [(typeof linked)[number], string])[],
): void {
  text.appendMarkdown(entries.map(([command, label]) => `[${label}](command:${command})`).join(' · '));
}
