import { boundsAt } from '../../parameters/parameterTable';
import type { Bounds } from '../bounds';
import type { CompletionRequest } from './completions.schema';

export const completionBounds: Bounds<CompletionRequest> = {
  model: { minLength: 1 },
  ...boundsAt('completions'),
};
