import type { ChatChoice } from '../api/chatCompletions/chatAssembler';
import type { ChatUsage } from '../api/chatCompletions/chatUsage';
import type { Completion } from '../api/completions/completionEvents';
import type { CompletionRequest } from '../api/completions/completions.schema';
import type { Embeddings, EmbeddingRequest } from '../api/embeddings/embeddings.schema';
import type { ContentBlock, Message } from '../api/messages/messageEvents';
import type { MessageRequest } from '../api/messages/messages.schema';
import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { countInputTokens } from '../tokens/countTokens';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from './usage';
import type { Usage } from './usage';

/** The tokens of one call: as counted by the service, otherwise estimated from the texts. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
  /** Its cost, if the service reported it. */
  readonly cost?: number;
}

/** The nouns of the client whose calls use tokens: the request, and the answer as far as its usage depends on it. */
export interface TokenCalls {
  readonly messages: readonly [request: Pick<MessageRequest, 'messages' | 'system' | 'tools'>, answer: Message];
  readonly completions: readonly [request: Pick<CompletionRequest, 'prompt' | 'suffix'>, answer: Completion];
  readonly chatCompletions: readonly [
    request: { readonly messages?: unknown },
    answer: { readonly choices: readonly ChatChoice[]; readonly usage: ChatUsage },
  ];
  readonly rerank: readonly [request: Pick<RerankRequest, 'query' | 'documents'>, answer: Ranking];
  readonly embeddings: readonly [request: EmbeddingRequest, answer: Embeddings];
}

interface Reading<Answer> {
  /** The service's counts, as it sent them. */
  readonly counts: (answer: Answer) => {
    readonly input: unknown;
    readonly output: unknown;
    readonly cost: number | undefined;
  };
  /** The texts from which the output is estimated. Absent: there is no output to count. */
  readonly texts?: (answer: Answer) => readonly string[];
}

const readings: { readonly [Noun in keyof TokenCalls]: Reading<TokenCalls[Noun][1]> } = {
  messages: {
    counts: ({ usage }) => ({ input: usage.input_tokens, output: usage.output_tokens, cost: usage.cost }),
    texts: ({ content }) => content.map(blockText),
  },
  completions: {
    counts: ({ usage }) => ({ input: usage.prompt_tokens, output: usage.completion_tokens, cost: usage.cost }),
    texts: ({ choices }) => choices.map(({ text }) => text),
  },
  chatCompletions: {
    counts: ({ usage }) => ({ input: usage.input_tokens, output: usage.output_tokens, cost: usage.cost }),
    texts: ({ choices }) =>
      choices.flatMap(({ reasoning, text, calls }) => [
        reasoning,
        text,
        ...calls.map(({ name, arguments: args }) => `${name} ${args}`),
      ]),
  },
  rerank: {
    counts: ({ tokens }) => ({ input: tokens.input_tokens, output: tokens.output_tokens, cost: tokens.cost }),
  },
  embeddings: {
    counts: ({ usage }) => ({
      input: inputCount(usage.prompt_tokens) ?? usage.total_tokens,
      output: 0,
      cost: usage.cost,
    }),
  },
};

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return `${block.name} ${JSON.stringify(block.input)}`;
    case 'image':
    case 'unknown':
      return '';
  }
}

/**
 * Returns the usage of a call, each part as counted by the service, or otherwise estimated from the texts. The response can be incomplete.
 * Without one, only the request is estimated. `factor`: how much more the model counts than is estimated.
 */
export function usageOf<Noun extends keyof TokenCalls>(
  noun: Noun,
  request: TokenCalls[Noun][0],
  answer?: TokenCalls[Noun][1],
  factor = 1,
): CallUsage {
  const { texts } = readings[noun];
  const { input, output, cost } = reportedBy(noun, answer);
  const came = answer && texts ? texts(answer) : [];
  return {
    inputTokens: input ?? Math.ceil(countInputTokens(request) * factor),
    outputTokens: output ?? came.reduce((sum, text) => sum + estimateTokens(text), 0),
    ...(input === undefined && { inputIsEstimate: true }),
    ...(output === undefined && { outputIsEstimate: true }),
    ...(cost !== undefined && { cost }),
  };
}

/** Returns the counts of the service, as far as they are usable. */
function reportedBy<Noun extends keyof TokenCalls>(noun: Noun, answer: TokenCalls[Noun][1] | undefined) {
  const { counts, texts } = readings[noun];
  const counted = answer && counts(answer);
  return {
    input: inputCount(counted?.input),
    output: outputCount(counted?.output) ?? (texts ? undefined : 0),
    cost: counted?.cost,
  };
}

/** Returns the usage as ledgers keep it: with one mark for both parts. */
export function toUsage({ inputTokens, outputTokens, inputIsEstimate, outputIsEstimate, cost }: CallUsage): Usage {
  const isEstimate = inputIsEstimate ?? outputIsEstimate;
  return { inputTokens, outputTokens, ...(isEstimate && { isEstimate }), ...(cost !== undefined && { cost }) };
}
