import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { createLastEditor } from '../../../platform/workspace/lastEditor';
import type { Asset } from '../../../services/media/media';
import { isSpeechAsset } from '../../../core/voices/takes';
import type { SpeechOutcome } from './speaking';
import { outcomeNotice } from './speechWords';
import { showVoice } from './voicePage';
import type { VoicePage, VoicePageOptions } from './voicePage';
import { createVoiceWorks } from './voiceWorks';
import { titled } from '../../../protocol/sentences';
import { showMessage } from '../../../platform/notify';

export const voicePanelType = 'inferenceDesk.voice';

/** The voice tabs; at most one per voice. */
export interface VoicePanels extends Disposable {
  open(uri: string): void;
  /** Opens the voice of a take. `vary` fills the form from it; `regenerate` sends its request again at once, whatever the form holds. */
  openTake(asset: Asset, as: 'regenerate' | 'vary'): Promise<void>;
  /** Restores a tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export type VoicePanelsOptions = Omit<VoicePageOptions, 'panel' | 'uri' | 'lastEditor' | 'works'>;

export function createVoicePanels(options: VoicePanelsOptions): VoicePanels {
  const store = new DisposableStore();
  const lastEditor = store.add(createLastEditor());
  const shown = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: VoicePage }>();
  const works = store.add(
    createVoiceWorks({
      services: options.services,
      onUnseen: (uri, outcome) => {
        tellUnseen(outcome, () => open(uri)).catch(options.services.report);
      },
    }),
  );
  store.add({ dispose: () => shown.forEach(({ page }) => page.dispose()) });

  const show = (panel: vscode.WebviewPanel, uri: string): VoicePage => {
    const page = showVoice({ ...options, works, panel, uri, lastEditor });
    shown.set(uri, { panel, page });
    panel.onDidDispose(() => {
      shown.delete(uri);
      page.dispose();
    });
    return page;
  };
  const open = (uri: string): VoicePage => {
    const known = shown.get(uri);
    if (!known) return show(vscode.window.createWebviewPanel(voicePanelType, '', vscode.ViewColumn.Active), uri);
    known.panel.reveal();
    return known.page;
  };
  return {
    open: (uri) => void open(uri),
    async openTake(asset, as) {
      const { voice } = isSpeechAsset(asset) ? asset.recipe.request : {};
      if (!isSpeechAsset(asset) || !voice) return;
      const { session } = open(voice);
      await (as === 'vary' ? session.use(asset) : session.speakAgain(asset));
    },
    restore(panel, state) {
      const uri = typeof state === 'object' && state !== null && 'uri' in state ? state.uri : undefined;
      if (typeof uri !== 'string' || uri === '' || shown.has(uri)) panel.dispose();
      else show(panel, uri);
    },
    dispose: () => store.dispose(),
  };
}

/** Reports an error of a voice whose tab is closed. Saved speech needs no message: it is among the takes. */
async function tellUnseen(outcome: SpeechOutcome, show: () => void): Promise<void> {
  const notice = outcomeNotice(outcome);
  if (notice?.tone !== 'error') return;
  const open = l10n.t('Open the Voice');
  if ((await showMessage('error', titled(notice.title, notice.detail), open)) === open) show();
}
