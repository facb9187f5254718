import type { Dialect, WayFacts } from './chat/chatWays';

/** What Check Model found, which counts more than what a list or a name suggests. */
export interface CheckedModel {
  /** Unix milliseconds. */
  readonly at: number;
  /** Absent if it wasn't found out. */
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly jsonMode?: boolean;
  readonly logProbabilities?: boolean;
  /** Tokens of the prompt and the answer together. */
  readonly contextTokens?: number;
  readonly outputTokens?: number;
}

/** What responses showed about one model. A property that is absent was not learned. */
export interface LearnedModel {
  /** The endpoint that answered its first chat, and its first ones with tools and images: a gateway may have these in one of them only. */
  readonly chat?: Dialect;
  readonly chatWithTools?: Dialect;
  readonly chatWithImages?: Dialect;
  /** What its chats must be requested with instead of what is usual for the service. */
  readonly way?: Partial<WayFacts>;
  /** Whether it accepts several completions in one request. */
  readonly severalCompletions?: false;
  /** Whether it has the tokens to fill in before a suffix. */
  readonly fillsIn?: false;
  /** Whether it ranks `texts`, as servers of text-embeddings-inference do, and not `documents`. */
  readonly ranksTexts?: boolean;
  /** Whether it ranks next to the version in the base URL, not below it. */
  readonly ranksUnversioned?: boolean;
  readonly checked?: CheckedModel;
}

/** What responses of one service showed about it and its models. One per account; the caller decides how long to store it. */
export interface LearnedStore {
  /** The ID of the known service that a response identified, for a URL that does not tell it. */
  readonly service: string | undefined;
  identify(service: string): void;
  of(model: string): LearnedModel;
  /** Merges `facts` into what is known of the model. */
  learn(model: string, facts: LearnedModel): void;
  clear(): void;
}

export interface LearnedRecord {
  readonly service?: string;
  readonly models?: Readonly<Record<string, LearnedModel>>;
}

/** A service with more models is used through few of them. The earliest are dropped. */
const mostModels = 500;

/** `onChange` receives the complete record, so that the caller can store it. */
export function createLearnedStore(
  initial: LearnedRecord = {},
  onChange?: (record: LearnedRecord) => void,
): LearnedStore {
  let service = initial.service;
  const models = new Map(Object.entries(initial.models ?? {}));
  const changed = () => onChange?.({ ...(service !== undefined && { service }), models: Object.fromEntries(models) });
  return {
    get service() {
      return service;
    },
    identify(found) {
      if (found === service) return;
      service = found;
      changed();
    },
    of: (model) => models.get(model) ?? {},
    learn(model, facts) {
      const before = models.get(model);
      const way = { ...before?.way, ...facts.way };
      const after = { ...before, ...facts, ...(Object.keys(way).length > 0 && { way }) };
      if (before && JSON.stringify(before) === JSON.stringify(after)) return;
      models.set(model, after);
      for (const oldest of models.keys()) {
        if (models.size <= mostModels) break;
        models.delete(oldest);
      }
      changed();
    },
    clear() {
      if (service === undefined && models.size === 0) return;
      service = undefined;
      models.clear();
      changed();
    },
  };
}
