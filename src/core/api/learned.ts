import type { Dialect, WayFacts } from './chat/chatWays';

/** The results of Check Model, which take precedence over a list or a name. */
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

/** Facts about one model learned from responses. A missing property was not learned. */
export interface LearnedModel {
  /** The endpoint that answered its first chat, and its first ones with tools and images: a gateway may have these in one of them only. */
  readonly chat?: Dialect;
  readonly chatWithTools?: Dialect;
  readonly chatWithImages?: Dialect;
  readonly chatWithToolsAndImages?: Dialect;
  /** The required changes to the service's usual chat requests. */
  readonly way?: Partial<WayFacts>;
  /** Whether it accepts several completions in one request. */
  readonly severalCompletions?: false;
  /** Whether it has the tokens to fill in before a suffix. */
  readonly fillsIn?: false;
  /** Whether it ranks `texts`, as servers of text-embeddings-inference do, and not `documents`. */
  readonly ranksTexts?: boolean;
  /**
   * The format of documents, if neither `documents` nor `texts`. `input`: query and documents in `input`, as for DashScope. `passages`: as
   * objects with a text each, as for NVIDIA's servers. `objects`: documents as objects with a text each, as for Pinecone. `inputs`: as a
   * list in `input`, as for Mixedbread.
   */
  readonly ranksAs?: 'input' | 'inputs' | 'passages' | 'objects';
  /** Whether it calls the number of results `top_k`, as Voyage does. */
  readonly ranksTopK?: boolean;
  /** Whether it always ranks all documents, and rejects a number of results under any name. */
  readonly ranksAll?: boolean;
  /** Whether it ranks next to the version in the base URL, not below it. */
  readonly ranksUnversioned?: boolean;
  /** Whether it ranks at `/ranking`, as NVIDIA's servers do. */
  readonly ranksAtRanking?: boolean;
  readonly checked?: CheckedModel;
  /** The limits that the service stated when it rejected a request or a batch. */
  readonly stated?: StatedOfModel;
}

export interface StatedOfModel {
  /** Tokens of the prompt and the answer together. */
  readonly contextTokens?: number;
  readonly outputTokens?: number;
  /** Tokens of the requests that may wait in batches. */
  readonly enqueuedTokens?: number;
}

/** The limits that a service stated for one batch. */
export interface StatedOfBatches {
  readonly requests?: number;
  readonly bytes?: number;
}

/** Facts about one service and its models learned from responses. One per account. The caller decides how long to store it. */
export interface LearnedStore {
  /** The ID of the known service that a response identified, for a URL that doesn't identify it. */
  readonly service: string | undefined;
  identify(service: string): void;
  /** The limits of batches that the service stated. */
  readonly batches: StatedOfBatches;
  learnBatches(facts: StatedOfBatches): void;
  of(model: string): LearnedModel;
  /** Merges `facts` into what is known of the model. */
  learn(model: string, facts: LearnedModel): void;
  clear(): void;
}

export interface LearnedRecord {
  readonly service?: string;
  readonly batches?: StatedOfBatches;
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
  let { batches = {} } = initial;
  const models = new Map(Object.entries(initial.models ?? {}));
  const changed = () =>
    onChange?.({
      ...(service !== undefined && { service }),
      ...(Object.keys(batches).length > 0 && { batches }),
      models: Object.fromEntries(models),
    });
  return {
    get service() {
      return service;
    },
    identify(found) {
      if (found === service) return;
      service = found;
      changed();
    },
    get batches() {
      return batches;
    },
    learnBatches(facts) {
      const after = { ...batches, ...facts };
      if (JSON.stringify(after) === JSON.stringify(batches)) return;
      batches = after;
      changed();
    },
    of: (model) => models.get(model) ?? {},
    learn(model, facts) {
      const before = models.get(model);
      const way = { ...before?.way, ...facts.way };
      const stated = { ...before?.stated, ...facts.stated };
      const after = {
        ...before,
        ...facts,
        ...(Object.keys(way).length > 0 && { way }),
        ...(Object.keys(stated).length > 0 && { stated }),
      };
      if (before && JSON.stringify(before) === JSON.stringify(after)) return;
      models.set(model, after);
      for (const oldest of models.keys()) {
        if (models.size <= mostModels) break;
        models.delete(oldest);
      }
      changed();
    },
    clear() {
      if (service === undefined && models.size === 0 && Object.keys(batches).length === 0) return;
      service = undefined;
      batches = {};
      models.clear();
      changed();
    },
  };
}
