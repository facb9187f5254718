import type * as z from 'zod/mini';
import { present } from '../present';
import { reportedCost } from '../reportedCost';
import type { MessageUsage } from '../messages/messageEvents';
import type { chatCompletionChunk, chatCompletionUsage } from './chatCompletions.schema';

/** Every number is optional, because services omit what they don't count. */
export interface ChatUsage extends MessageUsage {
  /** The part of the output that is thinking. */
  readonly reasoning_tokens?: number;
}

type Chunk = z.infer<typeof chatCompletionChunk>;
type Usage = z.infer<typeof chatCompletionUsage>;

/** Returns the counts of a chunk or a complete answer, wherever they are. */
export function usageIn({ usage, choices, x_groq, usageMetadata, timings }: Chunk): Usage | undefined {
  const inChoice = choices?.map((choice) => choice.usage ?? choice.delta?.usage).find((one) => one !== undefined);
  const named = usage ?? inChoice ?? x_groq?.usage ?? usageMetadata;
  if (named || timings?.predicted_n === undefined) return named;
  // llama.cpp
  const { prompt_n: read = 0, cache_n: cached = 0, predicted_n: written } = timings;
  return { prompt_tokens: read + cached, completion_tokens: written, cached_tokens: cached };
}

export function toChatUsage(usage: Usage | undefined): ChatUsage {
  const counted = firstCount(usage?.prompt_tokens, usage?.input_tokens, usage?.promptTokens, usage?.promptTokenCount);
  const total = firstCount(usage?.total_tokens, usage?.totalTokens, usage?.totalTokenCount);
  const details = usage?.prompt_tokens_details ?? usage?.input_tokens_details;
  const cached = firstCount(
    details?.cached_tokens,
    usage?.prompt_cache_hit_tokens,
    usage?.cache_read_input_tokens,
    usage?.cached_tokens,
    usage?.cachedContentTokenCount,
  );
  const cacheWrites = firstCount(details?.cache_write_tokens, usage?.cache_creation_input_tokens);
  const ofThoughts = usage?.thoughtsTokenCount;
  const reasoning = (usage?.completion_tokens_details ?? usage?.output_tokens_details)?.reasoning_tokens ?? ofThoughts;
  const named = firstCount(usage?.completion_tokens, usage?.output_tokens, usage?.completionTokens);
  // No prompt has no tokens.
  const prompt = counted === 0 && total !== undefined && named !== undefined ? Math.max(0, total - named) : counted;
  // Google counts the thinking next to the answer, whatever else the sum includes.
  const ofGoogle = named === undefined ? usage?.candidatesTokenCount : undefined;
  const completion =
    ofGoogle === undefined
      ? withReasoning({ prompt, completion: named, total, isCached: Boolean(cached || cacheWrites), reasoning })
      : ofGoogle + (ofThoughts ?? 0);
  return present({
    input_tokens: prompt,
    output_tokens: completion,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWrites,
    reasoning_tokens: reasoning,
    cost: reportedCost(usage),
  });
}

/** Returns the first of some counts that is above 0, else the first: gateways leave 0 under the names that they don't fill in. */
export function firstCount(...counts: readonly (number | undefined)[]): number | undefined {
  return counts.find((count) => count) ?? counts.find((count) => count !== undefined);
}

interface Counts extends Readonly<Record<'prompt' | 'completion' | 'total' | 'reasoning', number | undefined>> {
  /** Whether anything was read from the cache or written to it, which some services count in the sum alone. */
  readonly isCached: boolean;
}

/** Adds the reasoning that xAI counts next to the answer, and Google only in the sum. */
function withReasoning({ prompt, completion, total, isCached, reasoning }: Counts): number | undefined {
  if (prompt === undefined || completion === undefined || total === undefined) return completion;
  const more = total - prompt - completion;
  const isReasoning = reasoning === undefined ? !isCached : more === reasoning;
  return more > 0 && isReasoning ? completion + more : completion;
}

/** Removes the counts of zero that would replace others. */
export function withoutZeros<Usage extends object>(usage: Usage, before: Usage): Partial<Usage> {
  const counted = Object.entries(usage).filter(([name, value]) => value !== 0 || !before[name as keyof Usage]);
  return Object.fromEntries(counted) as Partial<Usage>;
}
