import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { VoiceUploadModel } from '../../protocol/voiceUpload';

/** The model named in the vendor's documentation: https://docs.siliconflow.com/en/api-reference/audio/upload-voice */
const usualModel = 'FunAudioLLM/CosyVoice2-0.5B';

export async function offeredModels(models: ModelCatalogue): Promise<readonly VoiceUploadModel[]> {
  const { models: listed, pins } = await models.ensureFresh();
  return modelsForJob('voice', listed, pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

export function suggestedModel({ state }: ModelCatalogue): string {
  return chooseModel('voice', state) ?? usualModel;
}

/** Returns the models that the service lists as speech-to-text, because others would be a guess. The user's default comes first. */
export function hearingModels({ state: { models, pins, defaults } }: ModelCatalogue): readonly string[] {
  const named = modelsForJob('transcription', models, pins)
    .filter(({ subTypes }) => subTypes.includes('speech-to-text'))
    .map(({ id }) => id);
  const preferred = defaults.transcription;
  return preferred !== undefined && named.includes(preferred)
    ? [preferred, ...named.filter((id) => id !== preferred)]
    : named;
}
