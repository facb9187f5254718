import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { ToolDefinition } from '../../../core/conversation/tools';

/** The user's own tool definitions, stored beside the conversations and shared by all of them. */
export interface OwnToolFile {
  readonly tools: readonly ToolDefinition[];
}

const shape = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.exactOptional(z.string()),
      input_schema: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** Returns `undefined` if the content is not valid. */
export function readOwnToolFile(raw: unknown): OwnToolFile | undefined {
  const read = shape.safeParse(raw);
  return read.success ? read.data : undefined;
}
