import type { Screen } from '../src/protocol/call';
import { type Caller, createCaller } from '../src/protocol/caller';
import type { Loaded, OfPage, ToHost, ToWebview } from '../src/protocol/wire';

interface VsCodeApi<State> {
  postMessage(message: OfPage<ToHost | Loaded>): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<State>(): VsCodeApi<State>;

/** The host as a screen sees it. */
export interface Host<S extends Screen> extends Caller<S> {
  readonly strings: S['strings'];
  /** What was saved before the page was reloaded; `undefined` the first time. */
  load(): S['state'] | undefined;
  save(state: S['state']): void;
}

/** The one place that touches VS Code's webview API. To be called once: the editor gives its API out only once. */
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
    strings: readStrings<S>(),
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}

/** The host wrote them into the page, so that the first drawing already has its words. */
function readStrings<S extends Screen>(): S['strings'] {
  const text = document.getElementById('strings')?.textContent;
  if (!text) throw new Error('The page has no <script type="application/json" id="strings">.');
  return JSON.parse(text) as S['strings'];
}
