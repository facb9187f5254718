import type { Voice } from '../../core/api/voices/voices.schema';
import { startModel, toMediaStart } from '../../services/media/media';
import type { RemoteList } from '../../services/lists/remoteList';
import type { VoiceStyles } from './voices';
import type { VoicePanels } from './page/voicePanels';
import { env, l10n, QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { builtInUri, builtInVoices } from '../../core/voices/builtInVoices';
import { runCommand } from '../../platform/contributions';
import { numberText, shortened } from '../../platform/displayText';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import { showQuickPick } from '../../platform/notify';

/** Opens the voice with a URI, or the one that spoke a file; otherwise asks, offering only voices of the requested model, if any. */
export async function openVoice(
  what: unknown,
  { services, list }: VoiceStyles,
  panels: () => Promise<VoicePanels>,
): Promise<void> {
  const start = toMediaStart(what);
  if (start && 'path' in start) {
    const asset = await services.media.assets.read(start.path);
    if (asset) await (await panels()).openTake(asset, start.as);
    return;
  }
  const uri = typeof what === 'string' && what !== '' ? what : await pickVoice(list, services.models, startModel(what));
  if (uri !== undefined) (await panels()).open(uri);
}

interface VoiceChoice extends QuickPickItem {
  readonly uri?: string;
  /** Offers an upload, because no voice is available for the model. */
  readonly upload?: boolean;
}

/** Asks for a voice: an uploaded or a built-in one, restricted to those of `model` if it is set. `undefined` on cancel. */
async function pickVoice(list: RemoteList<Voice>, models: ModelCatalogue, model?: string): Promise<string | undefined> {
  const isMeant = (voice: { readonly model?: string | null | undefined }) =>
    model === undefined || voice.model === model;
  const choices = async (): Promise<readonly VoiceChoice[]> => {
    const [{ items, session }, state] = await Promise.all([list.ensureFresh(), models.ensureFresh()]);
    const own = session === 'signedOut' ? [] : items.filter(isMeant);
    const speech = modelsForJob('voice', state.models, state.pins).map(({ id }) => id);
    const builtIn = builtInVoices(speech).filter(isMeant);
    if (own.length + builtIn.length === 0)
      return [{ iconPath: new ThemeIcon('cloud-upload'), label: l10n.t('Upload Voice Sample'), upload: true }];
    return [
      ...(own.length === 0
        ? []
        : [heading(l10n.t('Voice styles: {0}', numberText(own.length, env.language))), ...own.map(ownChoice)]),
      ...(builtIn.length === 0 ? [] : [heading(l10n.t('Built-in voices'))]),
      ...builtIn.map((voice) => ({
        iconPath: new ThemeIcon('unmute'),
        label: voice.name,
        description: voice.model,
        uri: builtInUri(voice),
      })),
    ];
  };
  const chosen = await showQuickPick(choices(), {
    title: l10n.t('Open a voice'),
    placeHolder: l10n.t('Which voice should be opened?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.upload) await runCommand('inferenceDesk.voices.upload');
  return chosen?.uri;
}

const heading = (label: string): VoiceChoice => ({ label, kind: QuickPickItemKind.Separator });

function ownChoice({ uri, customName, model, text }: Voice): VoiceChoice {
  return {
    iconPath: new ThemeIcon('mic'),
    label: customName || shortened(uri),
    ...(model && { description: model }),
    ...(text && { detail: text.replaceAll(/\s+/g, ' ').slice(0, 200) }),
    uri,
  };
}
