import { chooseModel, modelsForJob } from '../catalogue/jobs';
import { imageUse } from '../catalogue/videoModels';
import type { AgentModels } from './toolHost';

/** The one chosen for videos if it takes a first picture, or needs none; else the first that does. */
export function chooseVideoModel(models: AgentModels, withPicture: boolean): string | undefined {
  const fits = (id: string) => {
    const model = models.models.find((one) => one.id === id);
    return imageUse(model ?? { id, subTypes: [] }) !== (withPicture ? 'refused' : 'needed');
  };
  const chosen = chooseModel('video', models);
  if (chosen !== undefined && fits(chosen)) return chosen;
  return modelsForJob('video', models.models, models.pins).find(({ id }) => fits(id))?.id;
}
