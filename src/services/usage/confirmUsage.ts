import type { Memento } from 'vscode';
import type { Refusal } from '../../core/parameters/refusal';

const key = 'completion.tellsNoUsage';

/** Which models accept the request for a token count in a streamed response. Undocumented by the vendor, so some may reject it. */
export interface UsageAsking {
  isTaken(model: string): boolean;
  /** Returns whether a rejection concerns this; if so, the model is not asked again. */
  isRefused(refusal: Refusal, model: string): Promise<boolean>;
}

export function createUsageAsking(memory: Memento): UsageAsking {
  const refusing = () => memory.get<readonly string[]>(key, []);
  return {
    isTaken: (model) => !refusing().includes(model),
    async isRefused({ parameter, message }, model) {
      const isAbout = /stream_options|include_usage/.test(`${parameter ?? ''} ${message}`);
      if (!isAbout || refusing().includes(model)) return false;
      await memory.update(key, [...refusing(), model]);
      return true;
    },
  };
}
