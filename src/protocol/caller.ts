import type { ChunkOf, ParamsOf, ResultOf, Screen } from './call';
import type { ToHost, ToWebview, WireError } from './wire';

/** The rejection reason of a failed call; its message is already localized. */
export class HostError extends Error {
  override readonly name = 'HostError';

  constructor(readonly error: WireError) {
    super(error.title);
  }
}

export interface CallOptions<Chunk> {
  readonly signal?: AbortSignal;
  readonly onChunk?: (chunk: Chunk) => void;
}

/** The webview's end of the channel. */
export interface Caller<S extends Screen> {
  call<M extends keyof S['calls'] & string>(
    method: M,
    params: ParamsOf<S, M>,
    options?: CallOptions<ChunkOf<S, M>>,
  ): Promise<ResultOf<S, M>>;
  /** Returns a function that removes the listener. */
  on<E extends keyof S['events'] & string>(name: E, listener: (data: S['events'][E]) => void): () => void;
  /** Must be called with every message from the host. */
  receive(message: ToWebview): void;
}

interface Pending {
  readonly resolve: (data: never) => void;
  readonly reject: (error: Error) => void;
  readonly onChunk: ((data: never) => void) | undefined;
}

export function createCaller<S extends Screen>(post: (message: ToHost) => void): Caller<S> {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, Set<(data: never) => void>>();
  let lastId = 0;

  return {
    async call(method, params, { signal, onChunk } = {}) {
      signal?.throwIfAborted();
      const id = ++lastId;
      const cancel = () => post({ type: 'cancel', id });
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject, onChunk });
          post({ type: 'call', id, method, params });
        });
      } finally {
        pending.delete(id);
        signal?.removeEventListener('abort', cancel);
      }
    },

    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },

    receive(message) {
      if (message.type === 'event') {
        for (const listener of listeners.get(message.name) ?? []) listener(message.data as never);
        return;
      }
      const call = pending.get(message.id);
      switch (message.type) {
        case 'chunk':
          return call?.onChunk?.(message.data as never);
        case 'result':
          return call?.resolve(message.data as never);
        case 'error':
          return call?.reject(new HostError(message.error));
      }
    },
  };
}
