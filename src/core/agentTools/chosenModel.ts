import { chooseModel, modelsForJob } from '../catalogue/jobs';
import type { ChoosableModels } from '../catalogue/jobs';
import type { ModelJob } from '../catalogue/model';
import type { ToolHost } from './toolHost';
import { AgentProblem } from './agentTool';
import { imageUse } from '../catalogue/videoModels';

const jobWords: Partial<Record<ModelJob, string>> = {
  rerank: 'ranks documents',
  image: 'generates images',
  video: 'generates videos',
};

/** Returns the named model, else the user's choice for the job, else the first that fits. Throws `AgentProblem` if none does. */
export async function chosenModel(
  job: ModelJob,
  named: string | undefined,
  host: ToolHost,
  signal: AbortSignal,
): Promise<string> {
  if (named !== undefined) return named;
  const model = chooseModel(job, await host.models(signal));
  if (model !== undefined) return model;
  throw new AgentProblem(
    `The account does not have a model that ${jobWords[job] ?? `does this (${job})`}. Do not retry.`,
  );
}

/** Returns the default video model if it accepts a first image, or needs none, as requested; else the first model that does. */
export function chooseVideoModel(models: ChoosableModels, withPicture: boolean): string | undefined {
  const fits = (id: string) => {
    const model = models.models.find((one) => one.id === id);
    return imageUse(id, model?.subTypes) !== (withPicture ? 'refused' : 'needed');
  };
  const chosen = chooseModel('video', models);
  if (chosen !== undefined && fits(chosen)) return chosen;
  return modelsForJob('video', models.models, models.pins).find(({ id }) => fits(id))?.id;
}
