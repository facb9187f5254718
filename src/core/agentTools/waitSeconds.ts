import '../api/jitless';
import * as z from 'zod/mini';

/** How long a status tool may wait for the job or batch to end. */
export const waitSeconds = z.optional(
  z
    .int()
    .check(
      z.minimum(0),
      z.maximum(300),
      z.describe('Wait so long at most for its end. 0, which is the default, asks once.'),
    ),
);
