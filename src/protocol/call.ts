import '../schema/jitless';
import type * as z from 'zod/mini';
import type { Immutable } from '../schema/immutable';

/** The result of a call that returns nothing. */
export type Nothing = Record<never, never>;

/** The values that a schema accepts, read-only at every depth. */
export type Accepted<Schema> = Immutable<z.infer<Schema>>;

interface Returned<Result, Chunk> {
  readonly '~returned'?: { readonly result: Result; readonly chunk: Chunk };
}

/** Types what a call returns. The host is trusted, so nothing checks it at run time. */
export function returns<Result, Chunk = never>(): Returned<Result, Chunk> {
  return {};
}

/** The schema of a call's parameters, which also knows the type of what the call returns. */
type CallSchema<Schema, Result, Chunk> = Schema & { readonly '~call'?: Call<Accepted<Schema>, Result, Chunk> };

/** Defines a call of a screen: the parameters that the host accepts, and what it returns. */
export function call<Schema extends z.ZodMiniType, Result = Nothing, Chunk = never>(
  params: Schema,
  _returned?: Returned<Result, Chunk>,
): CallSchema<Schema, Result, Chunk> {
  return params;
}

type CallTable = Readonly<Record<string, CallSchema<z.ZodMiniType, unknown, unknown>>>;

/** The calls of a screen, by name, from the table in which they are defined. */
export type CallsOf<Table extends CallTable> = {
  readonly [M in keyof Table]: NonNullable<Table[M]['~call']>;
};

/** A request from the webview that the host answers once; chunks may arrive before the result. */
export interface Call<Params, Result, Chunk = never> {
  readonly params: Params;
  readonly result: Result;
  readonly chunk: Chunk;
}

/** The messages between one screen and its host. All of them must survive JSON. */
export interface Screen {
  /** Saved across reloads of the webview (`setState`): where the user is, never fetched data. */
  readonly state: unknown;
  readonly calls: object;
  /** Sent by the host unprompted. Each payload is a complete snapshot, because a hidden webview misses some. */
  readonly events: object;
}

type AnyCall = Call<unknown, unknown, unknown>;
type CallOf<S extends Screen, M extends keyof S['calls']> = S['calls'][M] extends AnyCall ? S['calls'][M] : never;
export type ParamsOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['params'];
export type ResultOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['result'];
export type ChunkOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['chunk'];

export interface CallContext<Chunk> {
  /** Aborted when the webview cancels the call or is closed. */
  readonly signal: AbortSignal;
  readonly emit: (chunk: Chunk) => void;
}

/** The host's side of a screen: the compiler requires a handler for every call. */
export type Handlers<S extends Screen> = {
  readonly [M in keyof S['calls']]: (
    params: ParamsOf<S, M>,
    context: CallContext<ChunkOf<S, M>>,
  ) => Promise<ResultOf<S, M>>;
};

/** The handlers of the calls in one table, where a screen has several. */
export type HandlersOf<Table extends CallTable> = Handlers<{ state: unknown; calls: CallsOf<Table>; events: object }>;

/** The answer to a call that returns nothing, once its work is done. */
export async function done(work: unknown): Promise<Nothing> {
  await work;
  return {};
}
