import '../../schema/jitless';
import * as z from 'zod/mini';
import type { ParamsOf, Screen } from '../../protocol/call';
import type { Loaded, OfPage, ToHost } from '../../protocol/wire';

/** A page's calls, each as the schema of its parameters: the compiler requires one per call. */
export type CallSchemas<S extends Screen> = {
  readonly [M in keyof S['calls']]: z.ZodMiniType<ParamsOf<S, M>>;
};

const id = z.int().check(z.positive());
const page = z.string().check(z.maxLength(64));
const envelope = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call'), page, id, method: z.string().check(z.maxLength(64)), params: z.unknown() }),
  z.strictObject({ type: z.literal('cancel'), page, id }),
  z.strictObject({ type: z.literal('loaded'), page }),
]);

/** Whether this is the message that the page of that name has loaded. */
export function isLoaded(raw: unknown, name: string): boolean {
  const { data } = envelope.safeParse(raw);
  return data?.type === 'loaded' && data.page === name;
}

/** A call whose parameters are invalid. It must be answered all the same, or the page waits forever. */
export interface Misfit {
  readonly type: 'misfit';
  readonly page: string;
  readonly id: number;
  readonly method: string;
}

/**
 * Validates a message from a page: the page shows text of models and is not trusted. Returns `undefined` if it is not a message of ours. A
 * call without a schema is passed on for the responder to reject.
 */
export function readMessage<S extends Screen>(
  raw: unknown,
  calls: CallSchemas<S>,
): OfPage<ToHost | Loaded> | Misfit | undefined {
  const message = envelope.safeParse(raw);
  if (!message.success) return undefined;
  if (message.data.type !== 'call') return message.data;
  const { page: from, id: callId, method, params } = message.data;
  const table: Readonly<Record<string, z.ZodMiniType>> = calls;
  const schema = Object.hasOwn(table, method) ? table[method] : undefined;
  if (!schema) return message.data;
  const checked = schema.safeParse(params);
  return checked.success
    ? { ...message.data, params: checked.data }
    : { type: 'misfit', page: from, id: callId, method };
}
