const prefix = 'useModel:';

/** The id of the step that does the same with another model. */
export const modelStep = (model: string): string => prefix + model;

/** The model that such a step names; `undefined` for the id of any other. */
export function modelOfStep(id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}
