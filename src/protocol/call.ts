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
  /** Strings that the host localizes for a page that does not do so itself. The page fills in `{0}` and `{1}`. */
  readonly strings?: object;
  readonly calls: object;
  /** Sent by the host unprompted. Each payload is a complete snapshot, because a hidden webview misses some. */
  readonly events: object;
}

export type StringsOf<S extends Screen> = S extends { readonly strings: infer Strings } ? Strings : undefined;
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
