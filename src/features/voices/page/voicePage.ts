import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Voice } from '../../../core/api/voices/voices.schema';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { throttle } from '../../../platform/throttle';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { panelIcon } from '../../../platform/panelIcon';
import type { RemoteList } from '../../../services/lists/remoteList';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { Services } from '../../../services/services';
import type { NotedVoices } from '../notedVoices';
import { createPlayableFiles, playingFolder } from './playableFiles';
import { voiceHandlers } from './voiceHandlers';
import { voiceMemoryOf } from './voiceMemory';
import { VoiceSession } from './voiceSession';
import { nameOfVoice, viewVoice } from './voiceView';
import type { VoiceWorks } from './voiceWorks';
import { foreign } from '../../../core/text/foreignText';
import { voiceCalls } from '../../../protocol/voice';

export interface VoicePageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly works: VoiceWorks;
  readonly list: RemoteList<Voice>;
  readonly notes: NotedVoices;
  readonly refreshList: () => Promise<unknown>;
  readonly lastEditor: LastEditor;
  readonly uri: string;
}

/** A tab with a voice. */
export interface VoicePage extends Disposable {
  readonly session: VoiceSession;
}

/** Throttle for bursts of changes, such as the bytes of a response. */
const gatherMs = 100;
/** Elapsed time is shown in seconds. */
const tickMs = 1000;

/** Shows a voice in a tab. Dispose it when the tab is closed; requests continue. */
export function showVoice(options: VoicePageOptions): VoicePage {
  const { services, panel, works, list, notes, refreshList, lastEditor, uri } = options;
  const { context, media, models, costs } = services;
  const store = new DisposableStore();
  const files = createPlayableFiles(playingFolder(context));
  const changes = store.add(throttle(gatherMs, () => tell()));
  const session: VoiceSession = store.add(
    new VoiceSession({
      services,
      works,
      list,
      notes,
      files,
      memory: voiceMemoryOf(context.workspaceState, uri),
      uri,
      labels: {
        speaking: () => l10n.t('Speaking as {0}', nameOfVoice(session)),
        transcribing: () => l10n.t('Transcribing'),
      },
      onChange: () => changes.soon(),
    }),
  );
  panel.iconPath = panelIcon(context.extensionUri, 'voice');
  const view = () =>
    viewVoice({
      session,
      models: models.state,
      costs,
      srcOf: (path) => panel.webview.asWebviewUri(vscode.Uri.file(path)).toString(),
      now: Date.now(),
    });
  const folders = () => [...media.assets.roots(), vscode.Uri.file(files.folder)];
  panel.title = foreign(nameOfVoice(session));
  const host = store.add(
    showScreen({
      screen: 'voice',
      title: panel.title,
      webview: panel.webview,
      extensionUri: context.extensionUri,
      handlers: voiceHandlers({ session, view, lastEditor, services, refreshList }),
      calls: voiceCalls,
      log: services.log,
      folders: folders(),
    }),
  );
  const tell = () => {
    panel.title = foreign(nameOfVoice(session));
    // The media folder may have changed since the page was opened.
    host.showFolders(folders());
    if (panel.visible) host.tell('voice/changed', view());
  };
  const ticking = setInterval(() => session.speaking.running && changes.soon(), tickMs);
  store.add({ dispose: () => clearInterval(ticking) });
  store.add(panel.onDidChangeViewState(() => (panel.visible ? changes.soon() : host.forgetPage())));
  store.add(costs.onDidChange(() => changes.soon()));
  void costs.ready();
  session.start().catch((error: unknown) => services.log.error('The page of a voice could not be filled.', error));
  return { session, dispose: () => store.dispose() };
}
