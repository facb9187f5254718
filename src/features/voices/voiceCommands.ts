import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Voice } from '../../core/api/voices/voices.schema';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { foreign } from '../../core/text/foreignText';
import { hasPrices, isVendor, knownServiceOf } from '../../core/profiles/knownServices';
import { builtInUri, builtInVoices, documentedModels } from '../../core/voices/builtInVoices';
import { runCommand } from '../../platform/contributions';
import { numberText, shortened } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { showMessage, showQuickPick } from '../../platform/notify';
import { withWriting } from '../../platform/workspace/written';
import { transcribeRecording } from '../../services/voices/transcribing';
import { priceLine } from '../../services/usage/costMessages';
import { sentences } from '../../protocol/sentences';
import type { CostText } from '../../protocol/wire';
import { checkOffered } from '../../services/account/notOffered';
import type { RemoteList } from '../../services/lists/remoteList';
import { startModel, toMediaStart } from '../../services/media/media';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import type { Services } from '../../services/services';
import type { NotedVoices } from './notedVoices';
import { createPlayableFiles, playingFolder } from './logic/playableFiles';
import type { VoicePanels } from './page/voicePanels';
import { checkRecording, recordingEndings } from './recording';
import type { VoiceStyles } from './voices';

/** Opens the voice with a URI, or the one that spoke a file; otherwise asks, offering only voices of the requested model, if any. */
export async function openVoice(
  what: unknown,
  { services, list }: VoiceStyles,
  panels: () => Promise<VoicePanels>,
): Promise<void> {
  const start = toMediaStart(what);
  if (start && 'path' in start) {
    const asset = await (await services.media()).assets.read(start.path);
    if (asset) await (await panels()).openTake(asset, start.as);
    return;
  }
  const uri = typeof what === 'string' && what !== '' ? what : await pickVoice(list, services, startModel(what));
  if (uri !== undefined) (await panels()).open(uri);
}

const uploading = ['GET /audio/voice/list', 'POST /uploads/audio/voice'];

interface VoiceChoice extends vscode.QuickPickItem {
  readonly uri?: string;
  /** Offers an upload, because no voice is available for the model. */
  readonly upload?: boolean;
}

/** Asks for a voice: an uploaded or a built-in one, restricted to those of `model` if it is set. `undefined` on cancel. */
async function pickVoice(
  list: RemoteList<Voice>,
  { account, models }: Services,
  model?: string,
): Promise<string | undefined> {
  checkOffered(account.current, 'POST /audio/speech');
  const isMeant = (voice: { readonly model?: string | null | undefined }) =>
    model === undefined || voice.model === model;
  const choices = async (): Promise<readonly VoiceChoice[]> => {
    const [{ items, session }, state] = await Promise.all([list.ensureFresh(), models.ensureFresh()]);
    const own = session === 'signedOut' ? [] : items.filter(isMeant);
    const speech = modelsForJob('voice', state.models, state.pins).map(({ id }) => id);
    const unlisted = speech.length === 0 ? unlistedModel(state, account.current.baseUrl) : undefined;
    const builtIn = builtInVoices(unlisted === undefined ? speech : [unlisted]).filter(isMeant);
    if (own.length + builtIn.length === 0) checkOffered(account.current, ...uploading);
    if (own.length + builtIn.length === 0)
      return [{ iconPath: new vscode.ThemeIcon('cloud-upload'), label: l10n.t('Upload Voice Sample'), upload: true }];
    return [
      ...(own.length === 0
        ? []
        : [heading(l10n.t('Custom voices: {0}', numberText(own.length, vscode.env.language))), ...own.map(ownChoice)]),
      ...(builtIn.length === 0 ? [] : [heading(l10n.t('Built-in voices'))]),
      ...builtIn.map((voice) => ({
        iconPath: new vscode.ThemeIcon('unmute'),
        label: voice.name,
        description: voice.model,
        uri: builtInUri(voice),
      })),
    ];
  };
  const chosen = await showQuickPick(choices(), {
    title: l10n.t('Open Voice'),
    placeHolder: l10n.t('Select a voice'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.upload) await runCommand('inferenceDesk.voices.upload');
  return chosen?.uri;
}

/** Returns the model whose voices are offered although no list names it; `undefined` if nothing is known of a service's voices. */
function unlistedModel({ models }: CatalogueState, baseUrl = ''): string | undefined {
  if (knownServiceOf(baseUrl)?.id === 'openrouter') return documentedModels.openrouter;
  return models.length === 0 || isVendor(baseUrl) ? documentedModels.vendor : undefined;
}

const heading = (label: string): VoiceChoice => ({ label, kind: vscode.QuickPickItemKind.Separator });

function ownChoice({ uri, customName, model, text }: Voice): VoiceChoice {
  return {
    iconPath: new vscode.ThemeIcon('mic'),
    label: customName || shortened(uri),
    ...(model && { description: model }),
    ...(text && { detail: text.replaceAll(/\s+/g, ' ').slice(0, 200) }),
    uri,
  };
}

/** Asks, then deletes a voice style at the service, with its note and the playable copy of its recording; generated speech stays. */
export async function deleteVoice(voice: Voice, { services, list, notes, refused }: VoiceStyles): Promise<void> {
  const profileId = services.account.current.id;
  const name = voice.customName || shortened(voice.uri);
  if (refused.has(profileId)) throw notOffered(name);
  const remove = l10n.t('Delete');
  const answer = await showMessage(
    'warning',
    l10n.t('Delete the voice "{0}"?', foreign(name)),
    {
      modal: true,
      detail: l10n.t("Permanently deletes the voice from the service, along with your note. Clips aren't deleted."),
    },
    remove,
  );
  if (answer !== remove) return;
  try {
    await (await services.connections.client(profileId)).voices.delete({ uri: voice.uri });
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.kind === 'notOffered') {
      refused.add(profileId);
      throw notOffered(name);
    }
    if (!['notFound', 'badRequest'].includes(error.kind) || !(await isGone(voice.uri, list))) throw error;
    void showMessage('information', l10n.t('{0} has already been deleted.', foreign(name)));
    await forget(voice.uri, services, notes);
    return;
  }
  await forget(voice.uri, services, notes);
  await list.refresh();
}

/** Deletes the note, and the playable copy of the recording. */
async function forget(uri: string, { context }: Services, notes: NotedVoices): Promise<void> {
  await notes.remove(uri);
  await createPlayableFiles(playingFolder(context)).tidySamples(await notes.samples());
}

async function isGone(uri: string, list: RemoteList<Voice>): Promise<boolean> {
  const { error, items } = await list.refresh();
  return error === undefined && !items.some((item) => item.uri === uri);
}

function notOffered(name: string): UserError {
  return new UserError(
    l10n.t("This service doesn't support deleting voices"),
    l10n.t("Delete {0} in the service's console, then refresh.", foreign(name)),
  );
}

/** Transcribes a file into a new document. Without a file, asks for one; a `MediaStart` names the model. */
export async function transcribeFile(file: unknown, services: Services): Promise<void> {
  const { account, models } = services;
  checkOffered(account.current, 'POST /audio/transcriptions');
  const chosen = file instanceof vscode.Uri ? pathOf(file) : undefined;
  if (chosen !== undefined) await checkRecording(chosen);
  const model = startModel(file) ?? chooseModel('transcription', await models.ensureFresh());
  if (model === undefined) throw noModel();
  const prices = await (await services.usage()).readyPrices();
  const piece = { model, piece: 'transcription', count: 1 } as const;
  const path = chosen ?? (await choosePath(prices.label(l10n.t('Transcribe'), [piece])));
  if (path === undefined) return;
  if (chosen === undefined) await checkRecording(path);
  // The dialog that chooses a file has the price on its button.
  else if (!(await isConfirmed(path, prices.quote([piece]), account.current.baseUrl))) return;
  const text = await withWriting(l10n.t('Transcribing {0}', basename(path)), 1, async ({ signal, onProgress }) => {
    const report = (sent: number, total: number) => onProgress(total === 0 ? 0 : sent / total);
    return (await transcribeRecording(services, { model, path, onProgress: report }, signal)).text;
  });
  // Untitled: VS Code keeps it until the user saves or discards it.
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'plaintext', content: text }),
  );
}

/** Asks whether to pay for it; a service without prices is not asked about. */
async function isConfirmed(path: string, price: CostText, baseUrl: string | undefined): Promise<boolean> {
  if (baseUrl === undefined || !hasPrices(baseUrl)) return true;
  const { text } = priceLine(price);
  const transcribe = l10n.t('Transcribe');
  const title = l10n.t('Transcribe "{0}"?', foreign(basename(path)));
  const detail = sentences(`${text}.`, price.hint);
  return (await showMessage('information', title, { modal: true, detail }, transcribe)) === transcribe;
}

function pathOf(file: vscode.Uri): string {
  if (!vscode.workspace.isTrusted) throw untrusted();
  if (file.scheme === 'file') return file.fsPath;
  throw new UserError(l10n.t("The file isn't on disk"), l10n.t('Choose a file on disk.'));
}

async function choosePath(openLabel: string): Promise<string | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Transcribe'),
      openLabel,
      filters: { [l10n.t('Recordings')]: recordingEndings, [l10n.t('All Files')]: ['*'] },
    })) ?? [];
  return chosen?.fsPath;
}

function untrusted(): UserError {
  return new UserError(l10n.t("This workspace isn't trusted"), l10n.t('Trust this workspace first.'));
}

function noModel(): UserError {
  return new UserError(l10n.t('No transcription model found'), l10n.t('Refresh the models, or switch accounts.'));
}
