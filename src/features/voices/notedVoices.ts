import * as vscode from 'vscode';
import type { VoiceNote, VoiceNotes } from '../../core/voices/voiceNotes';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { once } from '../../platform/once';

/** The notes on voices, with a cache of those already read. */
export interface NotedVoices extends VoiceNotes, Disposable {
  /** The note as last read. */
  known(uri: string): VoiceNote | undefined;
  /** Reads the notes that were not read yet. */
  look(uris: readonly string[]): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

/** Calls `open` at first use. */
export function createNotedVoices(open: () => Promise<VoiceNotes>): NotedVoices {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const read = new Map<string, VoiceNote | undefined>();
  const notes = once(open);
  const readNow = async (uri: string) => {
    const note = await (await notes()).read(uri);
    read.set(uri, note);
    return note;
  };
  const change = async (uri: string, work: (all: VoiceNotes) => Promise<void>) => {
    await work(await notes());
    await readNow(uri);
    changed.fire();
  };
  return {
    known: (uri) => read.get(uri),
    async look(uris) {
      const news = uris.filter((uri) => !read.has(uri));
      const found = await Promise.all(news.map(readNow));
      if (found.some(Boolean)) changed.fire();
    },
    read: readNow,
    samples: async () => (await notes()).samples(),
    write: (uri, note) => change(uri, (all) => all.write(uri, note)),
    remove: (uri) => change(uri, (all) => all.remove(uri)),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
