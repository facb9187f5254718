import { fitsJob } from '../../../core/catalogue/jobs';
import type { ChoosableModels } from '../../../core/catalogue/jobs';
import type { CatalogueModel } from '../../../core/catalogue/model';

/**
 * Whether VS Code can list the model. VS Code (1.139) shows IDs and names in a Markdown hover whose links can run any of its commands, so
 * an ID that could be more than plain text there is omitted.
 */
export function isPlain(id: string): boolean {
  return id.length <= 200 && /^[\p{L}\p{N}/.@+:()_,= -]+$/u.test(id) && !/www\.|:\/\//i.test(id);
}

/** Returns the chat models that a user pinned or set as the default, while they are offered. Others would flood the editor's picker. */
export function chosenModels({ models, pins, defaults }: ChoosableModels): readonly CatalogueModel[] {
  const ids = new Set([...(defaults.chat === undefined ? [] : [defaults.chat]), ...pins]);
  return [...ids].flatMap((id) =>
    models.filter((model) => model.id === id && fitsJob(model, 'chat') && isPlain(model.id)),
  );
}
