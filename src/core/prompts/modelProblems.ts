import { fitsJob, modelsForJob } from '../catalogue/jobs';
import type { CatalogueModel } from '../catalogue/model';
import { nearestIds } from '../catalogue/nearestIds';
import { mostComparedModels } from './prompt';
import type { Prompt } from './prompt';
import type { PromptProblem } from './promptProblem';

/** Yields the problems of the models named in a prompt file. `listed`: the account's models; empty if the list was never fetched. */
export function* modelProblems(
  { model, models }: Pick<Prompt, 'model' | 'models'>,
  listed: readonly CatalogueModel[],
): Iterable<PromptProblem> {
  for (const { id, span } of models.slice(mostComparedModels)) yield { code: 'models.too-many', span, name: id };
  if (listed.length === 0) return;
  const ids = modelsForJob('chat', listed).map((other) => other.id);
  for (const { id, span } of [...(model ? [model] : []), ...models]) {
    const known = listed.find((other) => other.id === id);
    if (!known) yield { code: 'model.unknown', span, name: id, suggestions: nearestIds(id, ids) };
    else if (!fitsJob(known, 'chat'))
      yield { code: 'model.not-chat', span, name: id, suggestions: nearestIds(id, ids) };
  }
}
