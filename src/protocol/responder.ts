import type { CallContext, Handlers, Screen } from './call';
import type { ToHost, ToWebview, WireError } from './wire';

/** The host's end of the channel. Every call ends in exactly one `result` or `error`. */
export interface Responder<S extends Screen> {
  /** Must be called with every message from the webview. Never rejects. */
  receive(message: ToHost): Promise<void>;
  tell<E extends keyof S['events'] & string>(name: E, data: S['events'][E]): void;
  /** Aborts all running calls and sends nothing more. Must be called when the webview is closed. */
  dispose(): void;
}

type AnyHandler = (params: unknown, context: CallContext<unknown>) => Promise<unknown>;

/** `describe` converts an error to a localized one; `post` sends to the page. */
export function createResponder<S extends Screen>(
  handlers: Handlers<S>,
  post: (message: ToWebview) => void,
  describe: (error: unknown) => WireError,
): Responder<S> {
  const table = new Map(Object.entries(handlers) as [string, AnyHandler][]);
  const running = new Map<number, AbortController>();
  let disposed = false;
  const say = (message: ToWebview) => {
    if (!disposed) post(message);
  };

  return {
    async receive(message) {
      if (message.type === 'cancel') {
        running.get(message.id)?.abort();
        return;
      }
      const { id, method, params } = message;
      const controller = new AbortController();
      running.set(id, controller);
      try {
        const handler = table.get(method);
        if (!handler) throw new Error(`No handler for "${method}".`);
        const emit = (data: unknown) => say({ type: 'chunk', id, data });
        say({ type: 'result', id, data: await handler(params, { signal: controller.signal, emit }) });
      } catch (error) {
        say({ type: 'error', id, error: describe(error) });
      } finally {
        running.delete(id);
      }
    },

    tell: (name, data) => say({ type: 'event', name, data }),

    dispose() {
      disposed = true;
      for (const controller of running.values()) controller.abort();
    },
  };
}
