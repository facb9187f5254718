import { env, l10n, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { QuickPickItem } from 'vscode';
import type { Voice } from '../../core/api/voices/voices.schema';
import { modelsForJob } from '../../core/catalogue/jobs';
import { builtInUri, builtInVoices } from '../../core/voices/builtInVoices';
import { numberText, shortened } from '../../platform/displayText';
import type { ModelCatalogue } from '../../platform/modelCatalogue';
import type { RemoteList } from '../../platform/remoteList';
import { showQuickPick } from '../../platform/notify';

interface VoiceChoice extends QuickPickItem {
  readonly uri?: string;
}

/** Lets a person choose a voice: one of their own, or one that models bring with them. */
export async function pickVoice(list: RemoteList<Voice>, models: ModelCatalogue): Promise<string | undefined> {
  const choices = async (): Promise<readonly VoiceChoice[]> => {
    const [{ items, session }, state] = await Promise.all([list.ensureFresh(), models.ensureFresh()]);
    const own = session === 'signedOut' ? [] : items;
    const speech = modelsForJob('voice', state.models, state.pins).map(({ id }) => id);
    return [
      ...(own.length === 0
        ? []
        : [heading(l10n.t('Voice styles: {0}', numberText(own.length, env.language))), ...own.map(ownChoice)]),
      heading(l10n.t('Built-in voices')),
      ...builtInVoices(speech).map(({ model, name }) => ({
        iconPath: new ThemeIcon('unmute'),
        label: name,
        description: model,
        uri: builtInUri({ model, name }),
      })),
    ];
  };
  const chosen = await showQuickPick(choices(), {
    title: l10n.t('Open a voice'),
    placeHolder: l10n.t('Which voice should be opened?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
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
