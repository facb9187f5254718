import '../api/jitless';
import * as z from 'zod/mini';

/** How long a tool that asks how something gets on may wait for its end. */
export const waitSeconds = z.optional(
  z
    .int()
    .check(
      z.minimum(0),
      z.maximum(300),
      z.describe('Wait so long at most for its end. 0, which is the default, asks once.'),
    ),
);
