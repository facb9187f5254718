import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { noUsage } from '../../core/usage/usage';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { ghostSubject } from './chosenModel';
import { ghostWords } from './statusWords';
import type { GhostState } from './statusWords';
import type { Suggester } from './suggester';
import { ghostSelector } from './switches';
import type { GhostSwitches } from './switches';
import type { GhostTextErrors } from './ghostTextErrors';
import { createLanguageStatusItem } from '../../platform/notify';

interface GhostStateParts {
  readonly services: Services;
  readonly switches: GhostSwitches;
  readonly troubles: GhostTextErrors;
  readonly suggester: Suggester;
  /** The parts of the state that are not known to this module. */
  readonly now: () => Pick<GhostState, 'mode' | 'isAsking' | 'offered' | 'accepted'>;
}

/** Returns the state of ghost text in a document, or without one. */
type ReadGhostState = (document: vscode.TextDocument | undefined) => Promise<GhostState>;

export function createGhostStateReader(parts: GhostStateParts): ReadGhostState {
  const { services, switches, troubles, suggester, now } = parts;
  return async (document) => {
    const isSignedIn = (await services.models.ready()).session !== 'signedOut';
    const subject = isSignedIn ? await ghostSubject(services, { asksService: false }) : undefined;
    const { last: error, until } = troubles;
    return {
      ...now(),
      obstacle: document && switches.obstacle(document),
      isSignedIn,
      model: subject?.model,
      refusedAt: subject && (await suggester.refusedAt(subject)),
      trouble: error === undefined ? undefined : { error, until },
      used: subject ? await (await services.usage()).today(subject.profile.id, 'ghostText') : noUsage,
    };
  };
}

interface GhostDisplay {
  readonly provider: vscode.InlineCompletionItemProvider;
  readonly state: ReadGhostState;
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
