/** Asked by the webview, answered once by the host; chunks may come before the answer. */
export interface Call<Params, Result, Chunk = never> {
  readonly params: Params;
  readonly result: Result;
  readonly chunk: Chunk;
}

/** What one screen and its host say to each other. All of it must survive JSON. */
export interface Screen {
  /** Kept over a reload of the webview (`setState`): where the user is, never fetched data. */
  readonly state: unknown;
  /** Every string of the screen a person reads, worded by the host. `{0}`, `{1}` mark what the page fills in. */
  readonly strings: object;
  readonly calls: object;
  /** Told by the host, unasked. A payload is a whole snapshot, because a hidden webview misses some. */
  readonly events: object;
}

type AnyCall = Call<unknown, unknown, unknown>;
type CallOf<S extends Screen, M extends keyof S['calls']> = S['calls'][M] extends AnyCall ? S['calls'][M] : never;
export type ParamsOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['params'];
export type ResultOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['result'];
export type ChunkOf<S extends Screen, M extends keyof S['calls']> = CallOf<S, M>['chunk'];

export interface CallContext<Chunk> {
  /** Aborted when the webview cancels the call or goes away. */
  readonly signal: AbortSignal;
  readonly emit: (chunk: Chunk) => void;
}

/** The host's side of a screen: the compiler asks for a handler per call. */
export type Handlers<S extends Screen> = {
  readonly [M in keyof S['calls']]: (
    params: ParamsOf<S, M>,
    context: CallContext<ChunkOf<S, M>>,
  ) => Promise<ResultOf<S, M>>;
};
