const prefix = 'useModel:';

/** Returns the id of the action that repeats the operation with another model. */
export const modelStep = (model: string): string => prefix + model;

/** Returns the model that such an action names, or `undefined` for any other id. */
export function modelOfStep(id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}

const answerLimitPrefix = 'maxTokens:';

/** Returns the id of the action that repeats a chat with answers of up to `tokens` tokens. */
export const answerLimitStep = (tokens: number): string => `${answerLimitPrefix}${tokens}`;

/** Returns the tokens that such an action names, or `undefined` for any other id. */
export function answerLimitOfStep(id: string): string | undefined {
  const tokens = id.startsWith(answerLimitPrefix) ? id.slice(answerLimitPrefix.length) : '';
  return /^[1-9]\d*$/.test(tokens) ? tokens : undefined;
}
