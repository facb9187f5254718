import type { CompletionRequest } from '../../../core/api/completions/completions.schema';
import { isApiError } from '../../../core/api/errors';
import { createAnswerRecorder } from '../../../core/completion/answerRecorder';
import type { UsageAsking } from '../../../services/usage/confirmUsage';
import type { CompleteRequest, CompletionPart } from './inferenceDesk';
import type { CallAccount } from '../calls/account';

/** Streams a completion; asks again without a token count if the model refuses to send one. */
export async function* complete(
  request: CompleteRequest,
  account: CallAccount & { readonly usageAsking: UsageAsking },
  signal: AbortSignal,
): AsyncIterable<CompletionPart> {
  const { client, model, usage, usageAsking } = account;
  const recorder = createAnswerRecorder();
  for (let again = true; again;) {
    again = false;
    const counted = usageAsking.isTaken(model) ? { stream_options: { include_usage: true } } : {};
    try {
      for await (const event of client.completions.stream({ ...toWire(request, model), ...counted }, signal)) {
        recorder.add(event);
        if (event.type === 'text' && event.index === 0 && event.text !== '') yield { kind: 'text', text: event.text };
      }
    } catch (error) {
      const isEmpty = recorder.read().choices.length === 0;
      if (!isEmpty || !isApiError(error) || error.kind !== 'badRequest') throw error;
      const { message, details } = error;
      again = await usageAsking.isRefused({ parameter: details.parameter, message }, model);
      if (!again) throw error;
    }
  }
  const [choice] = recorder.read().choices;
  yield {
    kind: 'end',
    text: choice?.text ?? '',
    model,
    ...(choice?.finish_reason !== undefined && { finishReason: choice.finish_reason }),
    usage: usage(),
  };
}

function toWire(
  { prompt, suffix, maxTokens, temperature, topP, stop, seed }: CompleteRequest,
  model: string,
): CompletionRequest {
  const set = { suffix, max_tokens: maxTokens, temperature, top_p: topP, stop, seed };
  return { model, prompt, ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) };
}
