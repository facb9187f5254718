import { type ReadonlySignal, signal } from '@preact/signals';
import type { TypedTools } from '../../../../src/protocol/chatTools';
import type { ChatHost } from '../chatHost';

/** The results of calls while they are being typed, by the key of the call. */
export interface TypedResults {
  of(key: string): string;
  set(key: string, text: string): void;
  forget(key: string): void;
}

export interface TypedToolsStore {
  readonly own: ReadonlySignal<TypedTools['own']>;
  setOwn(own: TypedTools['own']): void;
  readonly results: TypedResults;
}

/** More calls than anyone answers by hand at once; the oldest are dropped. */
const maxResults = 20;

/** Stores what is typed about tools, across a reload of the page. */
export function createTypedTools(host: ChatHost): TypedToolsStore {
  const saved = host.load()?.tools;
  const own = signal(saved?.own);
  const results = signal<Readonly<Record<string, string>>>(saved?.results ?? {});
  const keep = () => {
    const state = host.load() ?? { draft: '', scrollTop: -1 };
    const form = own.peek();
    host.save({ ...state, tools: { ...(form && { own: form }), results: results.peek() } });
  };
  const setResult = (key: string, text: string) => {
    const { [key]: _, ...others } = results.peek();
    const kept = text === '' ? others : { ...others, [key]: text };
    results.value = Object.fromEntries(Object.entries(kept).slice(-maxResults));
    keep();
  };
  return {
    own,
    setOwn(form) {
      own.value = form;
      keep();
    },
    results: {
      of: (key) => results.value[key] ?? '',
      set: setResult,
      forget: (key) => setResult(key, ''),
    },
  };
}
