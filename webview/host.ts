import type { Screen } from '../src/protocol/call';
import { type Caller, createCaller } from '../src/protocol/caller';
import type { Loaded, OfPage, ToHost, ToWebview } from '../src/protocol/wire';

interface VsCodeApi<State> {
  postMessage(message: OfPage<ToHost | Loaded>): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<State>(): VsCodeApi<State>;

/** The screen's connection to the host. */
export interface Host<S extends Screen> extends Caller<S> {
  /** Returns what was saved before the page was reloaded; `undefined` the first time. */
  load(): S['state'] | undefined;
  save(state: S['state']): void;
}

/** Connects to the host. The only code that touches VS Code's webview API. Call it once, because the editor provides its API only once. */
export function connect<S extends Screen>(): Host<S> {
  const api = acquireVsCodeApi<S['state']>();
  const page = document.body.dataset['page'] ?? '';
  window.addEventListener('load', () => api.postMessage({ type: 'loaded', page }));
  const caller = createCaller<S>((message) => api.postMessage({ ...message, page }));
  window.addEventListener('message', ({ data: { page: about, ...message } }: MessageEvent<OfPage<ToWebview>>) => {
    if (about === page) caller.receive(message);
  });
  return {
    ...caller,
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}
