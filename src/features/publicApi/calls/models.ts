import { chooseModel, jobsOf, modelJobs } from '../../../core/catalogue/jobs';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import type { Services } from '../../../services/services';
import type { DeskModel } from '../inferenceDesk';

/** Throws if nobody is signed in, or if the list was never loaded and cannot be. */
export async function listModels({ connections, models }: Services): Promise<readonly DeskModel[]> {
  await connections.client();
  const state = await models.ensureFresh();
  if (state.models.length === 0 && state.error !== undefined) throw state.error;
  return deskModels(state);
}

export function deskModels(state: CatalogueState): readonly DeskModel[] {
  const defaults = modelJobs.map((job) => ({ job, id: chooseModel(job, state) }));
  return state.models.map((model) => {
    const { id, contextLength, maxOutputTokens } = model;
    return {
      id,
      jobs: jobsOf(model),
      defaultFor: defaults.flatMap((one) => (one.id === id ? [one.job] : [])),
      ...(contextLength !== undefined && { contextLength }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    };
  });
}
