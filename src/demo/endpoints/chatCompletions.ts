import { type ChatAnswer, type ChatRequest, answerChat } from '../answers/chatEngine';
import { countTokens, tokenise } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import { misbehave } from '../faults/streamFaults';
import { type Frames, doneFrame, jsonFrame } from '../frames';
import { pacedText } from '../pacedText';
import { secondsOf } from '../service';
import { wait } from '../wait';
import { readChatRequest, requireTalk } from './chatRequest';

const finishReasons = {
  done: 'stop',
  length: 'length',
  tool: 'tool_calls',
  stopSequence: 'stop',
  refusal: 'content_filter',
  unknown: 'insufficient_system_resource',
} as const satisfies Record<ChatAnswer['end'], string>;

interface Produced {
  readonly output: number;
  /** Part of the output. */
  readonly reasoning: number;
}

const producedBy = (answers: readonly ChatAnswer[]): Produced => ({
  output: answers.reduce((sum, answer) => sum + answer.outputTokens, 0),
  reasoning: answers.reduce((sum, answer) => sum + answer.thinkingTokens, 0),
});

function usageOf(answers: readonly ChatAnswer[], { output, reasoning } = producedBy(answers)) {
  const input = answers[0]?.inputTokens ?? 0;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_tokens_details: { cached_tokens: 0 },
    prompt_cache_hit_tokens: 0,
    prompt_cache_miss_tokens: input,
  };
}

const toolCallsOf = (answer: ChatAnswer) =>
  answer.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.json },
  }));

export interface ChatIdentity {
  readonly id: string;
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Returns a complete response body, for the endpoint and for the lines of a batch. */
export function chatBody(
  answers: readonly ChatAnswer[],
  { id, model, created }: ChatIdentity,
  withUsage = true,
): Record<string, unknown> {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: answers.map((answer, index) => ({
      index,
      message: {
        role: 'assistant',
        content: answer.text,
        ...(answer.thinking === '' ? {} : { reasoning_content: answer.thinking }),
        ...(answer.toolCalls.length === 0 ? {} : { tool_calls: toolCallsOf(answer) }),
      },
      finish_reason: finishReasons[answer.end],
    })),
    ...(withUsage ? { usage: usageOf(answers) } : {}),
    system_fingerprint: '',
  };
}

/** Returns n answers, each with a different seed, so that they differ. */
export function answerMany(chat: ChatRequest, n: number): readonly ChatAnswer[] {
  return Array.from({ length: n }, (_, index) =>
    answerChat(index === 0 ? chat : { ...chat, seed: (chat.seed ?? 0) + index }),
  );
}

async function* framesOf(
  answers: readonly ChatAnswer[],
  { id, model, created }: ChatIdentity,
  { service, signal, fault }: Call,
): Frames {
  const withUsage = !(fault?.effect.kind === 'content' && fault.effect.how === 'noUsage');
  // In all chunks so far. Split into other chunks, a text can have other tokens than as a whole.
  let produced: Produced = { output: 0, reasoning: 0 };
  const upTo = (index: number) => producedBy(answers.slice(0, index + 1));
  const count = (index: number, text: string, isReasoning = false) => {
    const tokens = countTokens(text);
    const { output, reasoning } = upTo(index);
    produced = {
      output: Math.min(produced.output + tokens, output),
      reasoning: Math.min(produced.reasoning + (isReasoning ? tokens : 0), reasoning),
    };
  };
  const chunk = (index: number, delta: Record<string, unknown>, finish: string | null = null) => {
    if (finish !== null) produced = upTo(index);
    return jsonFrame({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index, delta, finish_reason: finish }],
      system_fingerprint: '',
      ...(withUsage ? { usage: usageOf(answers, produced) } : {}),
    });
  };
  await wait(service.pace().firstTokenMs, signal);
  for (const [index, answer] of answers.entries()) {
    yield chunk(index, { role: 'assistant', content: '', reasoning_content: answer.thinking === '' ? null : '' });
    for await (const piece of pacedText(answer.thinking, service, signal)) {
      count(index, piece, true);
      yield chunk(index, { content: null, reasoning_content: piece });
    }
    for await (const piece of pacedText(answer.text, service, signal)) {
      count(index, piece);
      yield chunk(index, { content: piece, reasoning_content: null });
    }
    for (const [at, call] of toolCallsOf(answer).entries()) {
      count(index, call.function.name);
      yield chunk(index, {
        content: null,
        tool_calls: [{ index: at, ...call, function: { name: call.function.name, arguments: '' } }],
      });
      for (const piece of tokenise(call.function.arguments)) {
        count(index, piece);
        yield chunk(index, {
          content: null,
          tool_calls: [{ index: at, id: null, type: '', function: { name: '', arguments: piece } }],
        });
      }
    }
    yield chunk(index, { content: '' }, finishReasons[answer.end]);
  }
  yield doneFrame;
}

export const chatCompletions: Endpoint = {
  name: 'POST /chat/completions',
  body: 'json',
  standIn: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
  handle: async (call) => {
    const { service, signal, reply, fault } = call;
    const { chat, stream, n } = readChatRequest(call.body, fault);
    requireTalk(call.body);
    requireBalance(service, chat.model);
    const answers = answerMany(chat, n);
    const identity = { id: service.newId(), model: call.modelName, created: secondsOf(service.clock()) };
    const output = answers.reduce((sum, answer) => sum + answer.outputTokens, 0);
    await charge(service, chat.model, ((answers[0]?.inputTokens ?? 0) + output) / 1000);
    if (stream) return reply.events(misbehave(framesOf(answers, identity, call), fault, 'chat'));
    const { firstTokenMs, tokenMs } = service.pace();
    await wait(firstTokenMs + (tokenMs * output) / 4, signal);
    return reply.json(200, chatBody(answers, identity, chat.content !== 'noUsage'));
  },
};
