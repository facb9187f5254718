import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import { checkRecording } from '../recording';
import { createSpeaking } from './speaking';
import type { Speaking, SpeechOutcome } from './speaking';
import { createTranscribing } from '../../../services/voices/transcribing';
import type { Transcribing } from '../../../services/voices/transcribing';
import type { VoiceMemory } from './voiceMemory';

/** Speech and transcription requests for a voice. They are paid, so they continue when nobody watches. */
export interface VoiceWork {
  readonly speaking: Speaking;
  readonly transcribing: Transcribing;
  /** Calls `onChange` on changes until the returned disposable is disposed. */
  watch(onChange: () => void): Disposable;
}

/** Options for one voice. */
export interface VoiceWorkOptions {
  readonly uri: string;
  readonly memory: VoiceMemory;
  /** Labels of the activities. */
  readonly labels: { readonly speaking: () => string; readonly transcribing: () => string };
}

/** The requests of all voices in this window. Disposing it aborts them. */
export interface VoiceWorks extends Disposable {
  /** Returns the same object while it is watched, has a running request, or holds unsaved speech. */
  of(options: VoiceWorkOptions): VoiceWork;
}

export interface VoiceWorksOptions {
  readonly services: Services;
  /** Called if speech ended, or is still unsaved, while nobody watches. */
  readonly onUnseen: (uri: string, outcome: SpeechOutcome) => void;
}

export function createVoiceWorks(options: VoiceWorksOptions): VoiceWorks {
  const works = new Map<string, VoiceWork & Disposable>();
  return {
    of(voice) {
      const { uri } = voice;
      const known = works.get(uri);
      if (known) return known;
      const work = createVoiceWork(voice, { ...options, onLeft: () => works.delete(uri) });
      works.set(uri, work);
      return work;
    },
    dispose() {
      for (const work of works.values()) work.dispose();
      works.clear();
    },
  };
}

function createVoiceWork(
  { uri, memory, labels }: VoiceWorkOptions,
  { services, onUnseen, onLeft }: VoiceWorksOptions & { readonly onLeft: () => void },
): VoiceWork & Disposable {
  const { profiles, connections, media, activity, costs } = services;
  const store = new DisposableStore();
  const watchers = new Set<() => void>();
  const onChange = () => watchers.forEach((tell) => tell());
  const tellUnseen = () => {
    const { running, outcome } = speaking;
    if (watchers.size === 0 && !running && outcome) onUnseen(uri, outcome);
  };
  const speaking: Speaking = store.add(
    createSpeaking({
      openService: async () => {
        const { id, baseUrl = '' } = profiles.active ?? {};
        return { speech: (await connections.client(id)).speech, address: baseUrl };
      },
      keep: (bytes, recipe) => media.assets.keep(bytes, recipe),
      activity,
      measure: ({ model }, work) =>
        costs.around(profiles.active?.id ?? '', work, (outcome) =>
          outcome.kind === 'kept' ? { kind: 'speech', model, count: 1, of: outcome.asset.path } : 'unsure',
        ),
      label: labels.speaking,
      onChange: () => {
        onChange();
        tellUnseen();
      },
    }),
  );
  const transcribing = store.add(
    createTranscribing({
      check: checkRecording,
      openService: async () => (await connections.client()).transcriptions,
      activity,
      label: labels.transcribing,
      onChange,
      onHeard: (transcript) => memory.write({ transcript }),
    }),
  );
  return {
    speaking,
    transcribing,
    watch(tell) {
      // A separate function per watcher, in case the same callback is passed twice.
      const watcher = () => tell();
      watchers.add(watcher);
      return {
        dispose() {
          watchers.delete(watcher);
          if (watchers.size > 0) return;
          if (speaking.outcome?.kind === 'notKept') tellUnseen();
          else if (!speaking.running && !transcribing.running) onLeft();
        },
      };
    },
    dispose: () => store.dispose(),
  };
}
