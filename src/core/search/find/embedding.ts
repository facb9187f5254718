import { toUnitVector } from '../vectors';
import type { Embeddings } from '../../api/embeddings/embeddings.schema';
import { mayBeBilled } from '../../api/errors';
import { estimateTokens } from '../../tokens/estimate';
import { inputCount } from '../../usage/usage';
import type { SearchAccount } from './searchAccount';

/** Enough dimensions to choose candidates, at a quarter of the disk space. Only these models accept the parameter. */
const shorter = { models: /qwen3-embedding/i, dimensions: 1024 };

/** Creates vectors with one model and counts the tokens used, estimated for a failed call that may be billed. */
export interface Embedding {
  readonly tokens: number;
  /** Resolves to one vector per input. Throws `UnusableVectors` if they are not usable vectors, or not of `length`. */
  vectorsOf(input: readonly string[], length?: number): Promise<readonly Float32Array[]>;
}

/** Thrown if a model's response cannot be used for a search. */
export class UnusableVectors extends Error {
  override readonly name = 'UnusableVectors';

  constructor(readonly model: string) {
    super(`${model} gave no vectors that can be used.`);
  }
}

/** Formats a question as these models expect it, unlike the searched texts: https://huggingface.co/Qwen/Qwen3-Embedding-8B#usage */
export function toQuery(question: string, model: string): string {
  return /qwen3-embedding/i.test(model)
    ? `Instruct: Given a question, find the parts of files that answer it\nQuery:${question}`
    : question;
}

export function createEmbedding({ client, spending }: SearchAccount, model: string, signal: AbortSignal): Embedding {
  let tokens = 0;
  const ask = async (input: readonly string[]): Promise<Embeddings> => {
    const estimate = input.reduce((sum, text) => sum + estimateTokens(text), 0);
    const count = (counted: number | undefined) => {
      const inputTokens = counted ?? estimate;
      tokens += inputTokens;
      spending.add({ inputTokens, outputTokens: 0, ...(counted === undefined && { isEstimate: true }) }, model);
    };
    const held = await spending.check(estimate);
    try {
      signal.throwIfAborted();
      const dimensions = shorter.models.test(model) ? { dimensions: shorter.dimensions } : {};
      const answer = await client.embeddings.create({ model, input, encoding_format: 'base64', ...dimensions }, signal);
      count(inputCount(answer.usage.prompt_tokens) ?? inputCount(answer.usage.total_tokens));
      return answer;
    } catch (error) {
      if (mayBeBilled(error)) count(undefined);
      throw error;
    } finally {
      held.release();
    }
  };
  return {
    get tokens() {
      return tokens;
    },
    async vectorsOf(input, length) {
      const made = (await ask(input)).vectors.flatMap((vector) => toUnitVector(vector) ?? []);
      const wanted = length ?? made[0]?.length;
      if (made.length === input.length && made.every((vector) => vector.length === wanted)) return made;
      throw new UnusableVectors(model);
    },
  };
}
