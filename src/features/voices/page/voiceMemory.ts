import type * as vscode from 'vscode';
import { emptyVoiceForm } from '../../../protocol/voiceForm';
import type { VoiceForm } from '../../../protocol/voice';
import type { Transcript } from '../../../services/voices/transcribing';

const key = 'voices.pages';
/** The most recently changed voices. */
const mostVoices = 50;

interface KeptVoice {
  readonly form?: VoiceForm;
  readonly transcript?: Transcript;
}

/** The form and the transcript of a voice's page, saved in this workspace. */
export interface VoiceMemory {
  readonly form: VoiceForm;
  readonly transcript: Transcript | undefined;
  /** An explicit `undefined` for `transcript` deletes it. */
  write(part: { readonly form?: VoiceForm; readonly transcript?: Transcript | undefined }): Promise<void>;
}

export function voiceMemoryOf(state: vscode.Memento, uri: string): VoiceMemory {
  const all = () => state.get<Readonly<Record<string, KeptVoice>>>(key, {});
  const own = (): KeptVoice => (Object.hasOwn(all(), uri) ? (all()[uri] ?? {}) : {});
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
      const kept = Object.entries(others).slice(1 - mostVoices);
      await state.update(key, { ...Object.fromEntries(kept), [uri]: { ...own(), ...part } });
    },
  };
}
