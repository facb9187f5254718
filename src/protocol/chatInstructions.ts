import * as z from 'zod/mini';
import { call, returns } from './call';

export const instructionCalls = {
  /** Returns the files and the setting whose instructions the next request of this conversation sends, unless it is off. */
  'chat/instructions': call(
    z.strictObject({}),
    returns<{ readonly sources: readonly string[]; readonly isOn: boolean }>(),
  ),
  /** Turns the instructions on or off in the shown conversation. */
  'chat/useInstructions': call(z.strictObject({ isOn: z.boolean() })),
};
