import { chooseModel, modelsForJob } from '../catalogue/jobs';
import { imageUse } from '../catalogue/videoModels';
import type { AgentModels } from './toolHost';

/** Returns the default video model if it accepts a first image, or needs none, as requested; else the first model that does. */
export function chooseVideoModel(models: AgentModels, withPicture: boolean): string | undefined {
  const fits = (id: string) => {
    const model = models.models.find((one) => one.id === id);
    return imageUse(model ?? { id, subTypes: [] }) !== (withPicture ? 'refused' : 'needed');
  };
  const chosen = chooseModel('video', models);
  if (chosen !== undefined && fits(chosen)) return chosen;
  return modelsForJob('video', models.models, models.pins).find(({ id }) => fits(id))?.id;
}
