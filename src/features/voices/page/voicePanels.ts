import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { uriOfVoice } from '../../../core/voices/builtInVoices';
import { isSpeechAsset } from '../../../core/voices/takes';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { showMessage } from '../../../platform/notify';
import { createLastEditor } from '../../../platform/workspace/lastEditor';
import { titled } from '../../../protocol/sentences';
import type { VoiceForm } from '../../../protocol/voice';
import { emptyVoiceForm } from '../../../protocol/voiceForm';
import type { Asset } from '../../../services/media/media';
import { createTranscribing, type Transcribing, type Transcript } from '../../../services/voices/transcribing';
import { checkRecording } from '../recording';
import type { VoiceStyles } from '../voices';
import { Speaking, type SpeechOutcome } from '../logic/speaking';
import { outcomeNotice } from './speechWords';
import { VoiceController } from './voiceController';

/** Speech and transcription requests for a voice. They are paid, so they continue when nobody watches. */
export interface VoiceWork extends Disposable {
  readonly memory: VoiceMemory;
  readonly speaking: Speaking;
  readonly transcribing: Transcribing;
  /** Calls `onChange` on changes until the returned disposable is disposed. */
  watch(onChange: () => void): Disposable;
}

/** The voice tabs of this window, at most one per voice, and the requests of all voices. Disposing it aborts them. */
export class VoicePanels implements Disposable {
  private readonly store = new DisposableStore();
  private readonly shown = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: VoiceController }>();
  private readonly works = new Map<string, VoiceWork>();
  readonly lastEditor = this.store.add(createLastEditor());

  constructor(
    readonly styles: VoiceStyles,
    /** Called if speech ended, or is still unsaved, while nobody watches. */
    private readonly onUnseen = (uri: string, outcome: SpeechOutcome) => {
      this.tellUnseen(uri, outcome).catch(styles.services.report);
    },
  ) {}

  open(uri: string): VoiceController {
    const known = this.shown.get(uri);
    if (!known)
      return this.show(vscode.window.createWebviewPanel('inferenceDesk.voice', '', vscode.ViewColumn.Active), uri);
    known.panel.reveal();
    return known.page;
  }

  /** Opens the voice of a clip. `vary` fills the form from it. `regenerate` sends its request again immediately, regardless of the form. */
  async openTake(asset: Asset, as: 'regenerate' | 'vary'): Promise<void> {
    if (!isSpeechAsset(asset)) return;
    const { voice, model } = asset.recipe.request;
    if (!voice) return;
    const page = this.open(uriOfVoice({ voice, model }));
    await (as === 'vary' ? page.use(asset) : page.speakAgain(asset));
  }

  /** Restores a tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const uri = typeof state === 'object' && state !== null && 'uri' in state ? state.uri : undefined;
    if (typeof uri !== 'string' || uri === '' || this.shown.has(uri)) panel.dispose();
    else this.show(panel, uri);
  }

  /** Returns the same object while it is watched, has a running request, or has unsaved speech. `label`: of its activity. */
  workOf(uri: string, label: () => string): VoiceWork {
    const known = this.works.get(uri);
    if (known) return known;
    const work = this.newWork(uri, label);
    this.works.set(uri, work);
    return work;
  }

  dispose(): void {
    for (const { page } of this.shown.values()) page.dispose();
    for (const work of this.works.values()) work.dispose();
    this.works.clear();
    this.store.dispose();
  }

  private show(panel: vscode.WebviewPanel, uri: string): VoiceController {
    const page = new VoiceController(this, uri);
    page.show(panel);
    this.shown.set(uri, { panel, page });
    panel.onDidDispose(() => {
      this.shown.delete(uri);
      page.dispose();
    });
    return page;
  }

  private newWork(uri: string, label: () => string): VoiceWork {
    const { services } = this.styles;
    const { context } = services;
    const memory = voiceMemoryOf(context.workspaceState, uri);
    const watchers = new Set<() => void>();
    const onChange = () => watchers.forEach((tell) => tell());
    const tellUnseen = () => {
      const { running, outcome } = speaking;
      if (watchers.size === 0 && !running && outcome) this.onUnseen(uri, outcome);
    };
    const speaking = new Speaking(services, label, () => {
      onChange();
      tellUnseen();
    });
    const transcribing = createTranscribing({
      check: checkRecording,
      services,
      onChange,
      onHeard: (transcript) => memory.write({ transcript }),
    });
    return {
      memory,
      speaking,
      transcribing,
      watch: (tell) => {
        // A separate function per watcher, in case the same callback is passed twice.
        const watcher = () => tell();
        watchers.add(watcher);
        return {
          dispose: () => {
            watchers.delete(watcher);
            if (watchers.size > 0) return;
            if (speaking.outcome?.kind === 'notKept') tellUnseen();
            else if (!speaking.running && !transcribing.running) this.works.delete(uri);
          },
        };
      },
      dispose() {
        speaking.dispose();
        transcribing.dispose();
      },
    };
  }

  /** Reports an error of a voice whose tab is closed. Saved speech needs no message: it is among the takes. */
  private async tellUnseen(uri: string, outcome: SpeechOutcome): Promise<void> {
    const notice = outcomeNotice(outcome);
    if (notice?.tone !== 'error') return;
    const open = l10n.t('Open Voice');
    if ((await showMessage('error', titled(notice.title, notice.detail), open)) === open) this.open(uri);
  }
}

const key = 'voices.pages';
/** The most recently changed voices. */
const mostVoices = 50;

interface SavedVoice {
  readonly form?: VoiceForm;
  readonly transcript?: Transcript;
}

/** The form and the transcript of a voice's page, saved in this workspace. */
interface VoiceMemory {
  readonly form: VoiceForm;
  readonly transcript: Transcript | undefined;
  /** An explicit `undefined` for `transcript` deletes it. */
  write(part: { readonly form?: VoiceForm; readonly transcript?: Transcript | undefined }): Promise<void>;
}

function voiceMemoryOf(state: vscode.Memento, uri: string): VoiceMemory {
  const all = () => state.get<Readonly<Record<string, SavedVoice>>>(key, {});
  const own = (): SavedVoice => (Object.hasOwn(all(), uri) ? (all()[uri] ?? {}) : {});
  // A new voice starts with the text of the previous one, because people compare them.
  const lastText = () => Object.values(all()).findLast(({ form }) => form?.input)?.form?.input ?? '';
  return {
    get form() {
      return { ...emptyVoiceForm, input: lastText(), ...own().form };
    },
    get transcript() {
      return own().transcript;
    },
    async write(part) {
      const { [uri]: _before, ...others } = all();
      const recent = Object.entries(others).slice(1 - mostVoices);
      await state.update(key, { ...Object.fromEntries(recent), [uri]: { ...own(), ...part } });
    },
  };
}
