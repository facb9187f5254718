import { mayBeBilled } from '../api/errors';
import type { MessageEvent, MessageUsage } from '../api/messages/messageEvents';
import type { MessageRequest } from '../api/messages/messages.schema';
import { countPromptTokens } from '../tokens/countTokens';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from './usage';

/** The usage of a request: as counted by the service, otherwise estimated from the texts. */
export interface MeteredUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
}

/** Counts one streamed answer, even if it is abandoned or breaks off. */
export interface UsageMeter {
  add(event: MessageEvent): void;
  /** Reports the error that ended the stream: the input counts if the call may be billed. */
  failed(error: unknown): void;
  /** `undefined` until the service has begun to answer, because a refusal costs nothing. */
  read(): MeteredUsage | undefined;
}

export function createUsageMeter(request: Pick<MessageRequest, 'messages' | 'system' | 'tools'>): UsageMeter {
  let begun: MessageUsage | undefined;
  let ended: MessageUsage | undefined;
  let came = '';
  return {
    add(event) {
      begun ??= {};
      if (event.type === 'start') begun = event.usage;
      else if (event.type === 'end') ended = event.message.usage;
      else if (event.type === 'text' || event.type === 'thinking' || event.type === 'toolInput') came += event.text;
    },
    failed(error) {
      if (mayBeBilled(error)) begun ??= {};
    },
    read() {
      if (!begun) return undefined;
      // At its start an answer has no output count yet: services that count only at the end send 0.
      const input = inputCount(ended?.input_tokens) ?? inputCount(begun.input_tokens);
      const output = outputCount(ended?.output_tokens);
      return {
        inputTokens: input ?? countPromptTokens(request),
        outputTokens: output ?? estimateTokens(came),
        ...(input === undefined && { inputIsEstimate: true }),
        ...(output === undefined && { outputIsEstimate: true }),
      };
    },
  };
}
