const prefix = 'useModel:';

/** Returns the id of the action that repeats the operation with another model. */
export const modelStep = (model: string): string => prefix + model;

/** Returns the model that such an action names, or `undefined` for any other id. */
export function modelOfStep(id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}
