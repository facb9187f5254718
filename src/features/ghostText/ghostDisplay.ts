import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { ghostWords } from './statusWords';
import type { GhostState } from './statusWords';
import { ghostSelector } from './switches';
import { createLanguageStatusItem } from '../../platform/notify';

interface GhostDisplay {
  readonly provider: vscode.InlineCompletionItemProvider;
  /** Returns the state of ghost text in a document, or without one. */
  readonly state: (document: vscode.TextDocument | undefined) => Promise<GhostState>;
  readonly isBusy: () => boolean;
  readonly onDidChange: vscode.Event<void>;
  readonly log: vscode.LogOutputChannel;
}

/** Registers everything the editor needs while ghost text is on. */
export function showGhostText(display: GhostDisplay): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerInlineCompletionItemProvider([...ghostSelector], display.provider));
  store.add(createGhostStatus(display));
  return store;
}

const severities = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
} as const;

/** Creates the language status item of ghost text. */
function createGhostStatus({ state, isBusy, onDidChange, log }: GhostDisplay): Disposable {
  const store = new DisposableStore();
  const item = store.add(createLanguageStatusItem('inferenceDesk.ghostText', [...ghostSelector]));
  item.name = l10n.t('Inference Desk: ghost text');
  item.command = { command: 'inferenceDesk.ghostText.menu', title: l10n.t('Change') };
  let timer: NodeJS.Timeout | undefined;
  let drawn = 0;

  const draw = async () => {
    item.busy = isBusy();
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return;
    const turn = ++drawn;
    const now = await state(document);
    if (turn !== drawn) return;
    const { text, detail, facts, severity } = ghostWords(now, Date.now(), vscode.env.language);
    Object.assign(item, { text, detail, severity: severities[severity] });
    item.accessibilityInformation = { label: [text, facts].filter(Boolean).join('. ') };
    // A text with an end time is updated once that has passed.
    clearTimeout(timer);
    const until = now.trouble?.until ?? 0;
    if (Number.isFinite(until) && until > Date.now()) timer = setTimeout(redraw, until - Date.now() + 1);
  };
  const redraw = () =>
    void draw().catch((error: unknown) => log.warn(`The state of ghost text is not shown: ${String(error)}`));

  store.add(onDidChange(redraw));
  store.add(vscode.window.onDidChangeActiveTextEditor(redraw));
  store.add(vscode.workspace.onDidOpenTextDocument(redraw));
  store.add({ dispose: () => clearTimeout(timer) });
  redraw();
  return store;
}
