import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamsOf, Screen } from '../../protocol/call';
import type { Loaded, OfPage, ToHost } from '../../protocol/wire';

/** What a page may send with each call: the compiler asks for one per call. */
export type ParamSchemas<S extends Screen> = {
  readonly [M in keyof S['calls']]: z.ZodMiniType<ParamsOf<S, M>>;
};

const id = z.int().check(z.positive());
const page = z.string().check(z.maxLength(64));
const envelope = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call'), page, id, method: z.string().check(z.maxLength(64)), params: z.unknown() }),
  z.strictObject({ type: z.literal('cancel'), page, id }),
  z.strictObject({ type: z.literal('loaded'), page }),
]);

/** Whether the page of that name tells that it is loaded. */
export function isLoaded(raw: unknown, name: string): boolean {
  const { data } = envelope.safeParse(raw);
  return data?.type === 'loaded' && data.page === name;
}

/** A call whose parameters do not fit. It must be answered all the same, or the page waits for ever. */
export interface Misfit {
  readonly type: 'misfit';
  readonly page: string;
  readonly id: number;
  readonly method: string;
}

/**
 * What a page sent, checked: the page shows text of models and is not trusted. `undefined` for what is no message of ours. A
 * call that no schema knows is passed on, to be refused by the responder.
 */
export function readMessage<S extends Screen>(
  raw: unknown,
  schemas: ParamSchemas<S>,
): OfPage<ToHost | Loaded> | Misfit | undefined {
  const message = envelope.safeParse(raw);
  if (!message.success) return undefined;
  if (message.data.type !== 'call') return message.data;
  const { page: from, id: asked, method, params } = message.data;
  const table: Readonly<Record<string, z.ZodMiniType>> = schemas;
  const schema = Object.hasOwn(table, method) ? table[method] : undefined;
  if (!schema) return message.data;
  const checked = schema.safeParse(params);
  return checked.success
    ? { ...message.data, params: checked.data }
    : { type: 'misfit', page: from, id: asked, method };
}
