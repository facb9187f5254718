import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Voice } from '../../core/api/voices/voices.schema';
import { registerCommand, runCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/workspace/insertAtCursor';
import { onceDisposable } from '../../platform/once';
import { createListView } from '../../services/lists/listView';
import type { ListView } from '../../services/lists/listView';
import { createRemoteList } from '../../services/lists/remoteList';
import type { RemoteList, RemoteListState } from '../../services/lists/remoteList';
import type { Feature, Services } from '../../services/services';
import { createNotedVoices } from './notedVoices';
import type { NotedVoices } from './notedVoices';
import type { VoiceRow } from './voiceItem';

/** The Voices view: voices recorded for speech, and the page of each. */
export const voicesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { profiles, connections, report } = services;
  const list = store.add(
    createRemoteList<Voice>({
      profiles,
      load: async (_rounds, signal) => {
        let hasMore = false;
        const items = await (await connections.client()).voices.list(signal, () => (hasMore = true));
        return { items, hasMore };
      },
    }),
  );
  const notes = store.add(
    createNotedVoices(async () =>
      (await import('../../services/voices/voiceNotes')).voiceNotesOf(services.context, services.log),
    ),
  );
  store.add(list.onDidChange(({ items }) => notes.look(items.map(({ uri }) => uri)).catch(report)));
  const view = store.add(
    createListView(services, {
      viewId: 'inferenceDesk.voices',
      rowsKey: 'inferenceDesk.voicesRows',
      list,
      rowsOf: createVoiceRows(notes),
      onDidChange: notes.onDidChange,
      keyOf: ({ voice: { uri } }) => uri,
      drawing: async () => (await import('./voiceItem')).voiceDrawing,
      dropped: sampleDrop(services),
    }),
  );
  const refused = new Set<string>();
  const refresh = () => {
    refused.clear();
    return view.refresh();
  };
  store.add(registerVoiceCommands({ services, list, notes, refused, refresh }, view));
  return store;
};

/** The voice styles of the active profile and the notes on them, as this window knows them. */
export interface VoiceStyles {
  readonly services: Services;
  readonly list: RemoteList<Voice>;
  readonly notes: NotedVoices;
  /** Ids of profiles whose service turned out not to delete voices, until the user refreshes the list. */
  readonly refused: Set<string>;
  readonly refresh: () => Promise<void>;
}

function registerVoiceCommands(styles: VoiceStyles, view: ListView<VoiceRow>): DisposableStore {
  const { services } = styles;
  const store = new DisposableStore();
  const uriOf = (row: unknown) => view.itemOf(row)?.voice.uri;
  const panels = onceDisposable(store, async () => {
    const { VoicePanels } = await import('./page/voicePanels');
    return new VoicePanels(styles);
  });
  const add = (id: Parameters<typeof registerCommand>[1], run: (row: unknown) => Promise<void>) =>
    store.add(registerCommand(services, id, run));
  add('inferenceDesk.voices.refresh', styles.refresh);
  add('inferenceDesk.voices.copyUri', async (row) => {
    const uri = uriOf(row);
    if (uri) await vscode.env.clipboard.writeText(uri);
  });
  add('inferenceDesk.voices.insertUri', async (row) => {
    const uri = uriOf(row);
    if (uri) await insertAtCursor(uri);
  });
  add('inferenceDesk.voices.open', async (row) => {
    const { openVoice } = await import('./voiceCommands');
    await openVoice(uriOf(row) ?? row, styles, panels);
  });
  add('inferenceDesk.voices.delete', async (row) => {
    const { deleteVoice } = await import('./voiceCommands');
    const voice = view.itemOf(row)?.voice;
    if (voice) await deleteVoice(voice, styles);
  });
  add('inferenceDesk.voices.transcribe', async (file) => {
    const { transcribeFile } = await import('./voiceCommands');
    await transcribeFile(file, services);
  });
  store.add(restorePanels('inferenceDesk.voice', async (panel, state) => (await panels()).restore(panel, state)));
  return store;
}

/** Reuses a row while its voice and note are unchanged. */
function createVoiceRows(notes: NotedVoices): (state: RemoteListState<Voice>) => readonly VoiceRow[] {
  const rows = new WeakMap<Voice, VoiceRow>();
  return ({ items }) =>
    items.map((voice) => {
      const note = notes.known(voice.uri);
      const before = rows.get(voice);
      const row = before && before.note === note ? before : { voice, note };
      rows.set(voice, row);
      return row;
    });
}

/** Accepts recordings dropped from the Explorer or the system; each is reviewed before it is uploaded. */
function sampleDrop({ report }: Services) {
  return {
    // The Explorer drops a URI list, the system drops files.
    dropMimeTypes: ['text/uri-list', 'files'],
    async handleDrop(_row: unknown, data: vscode.DataTransfer) {
      try {
        const { droppedFiles } = await import('../../platform/droppedFiles');
        const noFile = l10n.t('Drop a recording, e.g. from the Explorer.');
        for (const file of await droppedFiles(data, l10n.t('Upload Voice Sample'), noFile))
          await runCommand('inferenceDesk.voices.upload', file);
      } catch (error) {
        await report(error);
      }
    },
  };
}
