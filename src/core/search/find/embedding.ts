import { toUnitVector } from '../vectors';
import type { Embeddings } from '../../api/embeddings/embeddings.schema';
import { mayBeBilled } from '../../api/errors';
import { estimateTokens } from '../../tokens/estimate';
import { inputCount } from '../../usage/usage';
import type { SearchAccount } from './searchAccount';

/** Enough to choose candidates by, and a quarter of the disk. Only these models take the parameter. */
const shorter = { models: /qwen3-embedding/i, dimensions: 1024 };

/** Makes vectors with one model, and counts what that takes, about also where none came but the call may be billed. */
export interface Embedding {
  readonly tokens: number;
  /** One for each input. Throws `UnusableVectors` where they are no such vectors, or not of `length`. */
  vectorsOf(input: readonly string[], length?: number): Promise<readonly Float32Array[]>;
}

/** What a model answered is of no use for a search. */
export class UnusableVectors extends Error {
  override readonly name = 'UnusableVectors';

  constructor(readonly model: string) {
    super(`${model} gave no vectors that can be used.`);
  }
}

/** How these models want a question, unlike what is searched: https://huggingface.co/Qwen/Qwen3-Embedding-8B#usage */
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
