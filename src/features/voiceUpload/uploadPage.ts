import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/workspace/insertAtCursor';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import { panelIcon } from '../../platform/panelIcon';
import { describe, runAction } from '../../platform/errors/reportError';
import { showScreen } from '../../platform/webview/webviewHost';
import type { Handlers } from '../../protocol/call';
import {
  mostDrawnBytes,
  voiceUploadCalls,
  type VoiceUploadHearing,
  type VoiceUploadScreen,
  type VoiceUploadView,
  type VoiceUploadModel,
} from '../../protocol/voiceUpload';
import type { Services } from '../../services/services';
import { askSample, droppedPath, samplePath } from './chooseSample';
import { findingView, secondsText } from './findingWords';
import { outcomeOf, progressOf } from './outcomeWords';
import type { SavedPage } from './pageMemory';
import type { SampleStore } from './sampleStore';
import { UploadSession } from './uploadSession';
import { sampleView, suggestedName } from './viewWords';
import { foreign } from '../../core/text/foreignText';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';

export interface UploadPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly pageId: string;
  readonly store: SampleStore;
  readonly lastEditor: LastEditor;
  readonly remember: (page: SavedPage) => Promise<void>;
}

export interface UploadPage extends Disposable {
  readonly session: UploadSession;
}

/** Shows the review of a recording in a tab. Dispose it when the tab is closed. */
export function showUpload(options: UploadPageOptions): UploadPage {
  const { services, panel, store } = options;
  const disposables = new DisposableStore();
  panel.iconPath = panelIcon(services.context.extensionUri, 'submit');
  let isOpen = true;
  disposables.add({ dispose: () => (isOpen = false) });
  const session: UploadSession = disposables.add(
    new UploadSession({
      services,
      store,
      onChange: () => {
        if (!isOpen) return;
        panel.title = foreign(titleOf(session));
        host.tell('voiceUpload/changed', view());
      },
      remember: options.remember,
    }),
  );
  const view = () => viewOf(session, options);
  const host = disposables.add(
    showScreen({
      screen: 'voiceUpload',
      title: vscode.l10n.t('Upload Voice Sample'),
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf(session, options, view),
      calls: voiceUploadCalls,
      log: services.log,
      folders: [vscode.Uri.file(store.folder)],
    }),
  );
  disposables.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  void services.models.ensureFresh();
  return { session, dispose: () => disposables.dispose() };
}

function titleOf({ controller }: UploadSession): string {
  return controller.name === '' ? vscode.l10n.t('Upload Voice Sample') : vscode.l10n.t('Upload {0}', controller.name);
}

function handlersOf(
  session: UploadSession,
  options: UploadPageOptions,
  view: () => VoiceUploadView,
): Handlers<VoiceUploadScreen> {
  const { services } = options;
  const done = async (work: void | Promise<unknown>) => {
    await work;
    return {};
  };
  return {
    'voiceUpload/ready': async () => view(),
    'voiceUpload/form': async ({ form }) => done(session.controller.write(form)),
    async 'voiceUpload/sound'() {
      const sound = await session.controller.sound();
      const isSmall = sound !== undefined && sound.length <= mostDrawnBytes;
      return { base64: isSmall ? Buffer.from(sound).toString('base64') : '' };
    },
    'voiceUpload/levels': async ({ soundId, levels }) => done(session.controller.measure(soundId, levels)),
    'voiceUpload/choose': async () => done(chooseOther(session)),
    'voiceUpload/readAgain': async () => {
      const { path } = session.controller;
      return done(path === undefined ? undefined : session.show({ path }));
    },
    'voiceUpload/drop': async (dropped) =>
      done(
        session.show(
          'uri' in dropped
            ? { path: droppedPath(dropped.uri) }
            : { name: dropped.name, bytes: Buffer.from(dropped.base64, 'base64') },
        ),
      ),
    'voiceUpload/models': async () => ({ models: await offeredModels(services.models) }),
    'voiceUpload/transcribe': async ({ model }) => done(session.listen(model)),
    'voiceUpload/stopTranscribing': async () => done(session.listening.stop()),
    'voiceUpload/tookHeard': async ({ id }) => done(session.forgetHeard(id)),
    'voiceUpload/send': async (order) => done(session.send(order)),
    'voiceUpload/stop': async () => done(session.sending.stop()),
    'voiceUpload/act': async ({ id }) => done(act(id, session, options)),
  };
}

async function chooseOther(session: UploadSession): Promise<void> {
  const uri = await askSample();
  if (uri) await session.show({ path: samplePath(uri) });
}

/** Unknown action ids do nothing: the page is not trusted. */
async function act(id: string, session: UploadSession, { lastEditor }: UploadPageOptions): Promise<void> {
  const { state } = session.sending;
  const uri = state.kind === 'created' ? state.uri : undefined;
  switch (id) {
    case 'lookNow':
      return session.lookNow();
    case 'changeName':
      return session.sending.clear();
    case 'openNamed': {
      const [first] = state.kind === 'named' ? state.voices : [];
      return first && runCommand('inferenceDesk.voices.open', first.uri);
    }
    case 'another':
      return chooseOther(session);
    case 'tryVoice':
      return uri === undefined ? undefined : runCommand('inferenceDesk.voices.open', uri);
    case 'copyUri':
      return uri === undefined ? undefined : vscode.env.clipboard.writeText(uri);
    case 'insertUri':
      return uri === undefined ? undefined : insertAtCursor(uri, await lastEditor.reveal());
    default:
      await runAction(id);
      return undefined;
  }
}

function viewOf(session: UploadSession, { services, panel, pageId }: UploadPageOptions): VoiceUploadView {
  const { controller, sending, textSeconds, noteTrouble } = session;
  const { state } = controller;
  const { active } = services.profiles;
  const hearing = hearingOf(session);
  const progress = progressOf(sending.state);
  const outcome = outcomeOf(
    sending.state,
    noteTrouble === undefined ? undefined : vscode.l10n.t('Your note could not be kept: {0}', noteTrouble),
  );
  const toUri = (file: string) => panel.webview.asWebviewUri(vscode.Uri.file(file)).toString();
  return {
    pageId,
    state: state.kind,
    fileName: controller.name,
    findings: controller.findings.map(findingView),
    textTime: textSeconds === 0 ? '' : vscode.l10n.t('about {0} to say', secondsText(textSeconds, false)),
    hearingModels: hearingModels(services.models),
    suggested: { name: suggestedName(controller.name), model: suggestedModel(services.models) },
    ...(state.kind === 'failed' && { trouble: describe(state.error) }),
    ...(state.kind === 'ready' && { sample: sampleView(state.sample, controller.path, toUri) }),
    ...(active && {
      account: { profileId: active.id, text: vscode.l10n.t('{0} ({1})', active.name, new URL(active.origin).host) },
    }),
    ...(hearing && { hearing }),
    ...(progress && { progress }),
    ...(outcome && { outcome }),
  };
}

/** Hides the transcription error of another recording. */
function hearingOf({ listening, heard, controller: { state } }: UploadSession): VoiceUploadHearing | undefined {
  if (listening.running) return { kind: 'running' };
  if (heard) return { kind: 'heard', ...heard };
  const { kept } = state.kind === 'ready' ? state.sample : {};
  const isOfThis = [kept?.path, kept?.playPath].includes(listening.asked?.path);
  return listening.error === undefined || !isOfThis
    ? undefined
    : { kind: 'failed', trouble: describe(listening.error) };
}

/** The model named in the vendor's documentation: https://docs.siliconflow.com/en/api-reference/audio/upload-voice */
const usualModel = 'FunAudioLLM/CosyVoice2-0.5B';

async function offeredModels(models: Services['models']): Promise<readonly VoiceUploadModel[]> {
  const { models: listed, pins } = await models.ensureFresh();
  return modelsForJob('voice', listed, pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

function suggestedModel({ state }: Services['models']): string {
  return chooseModel('voice', state) ?? usualModel;
}

/** Returns the models that the service lists as speech-to-text, because others would be a guess. The user's default comes first. */
function hearingModels({ state: { models, pins, defaults } }: Services['models']): readonly string[] {
  const named = modelsForJob('transcription', models, pins)
    .filter(({ subTypes }) => subTypes.includes('speech-to-text'))
    .map(({ id }) => id);
  const preferred = defaults.transcription;
  return preferred !== undefined && named.includes(preferred)
    ? [preferred, ...named.filter((id) => id !== preferred)]
    : named;
}
