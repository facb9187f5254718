import { type ChatAnswer, answerChat } from '../answers/chatEngine';
import { tokenise } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import { misbehave } from '../faults/streamFaults';
import { type Frames, doneFrame, jsonFrame } from '../frames';
import { pacedText } from '../pacedText';
import { wait } from '../wait';
import { readMessagesRequest } from './messagesRequest';

const stopReasons = {
  done: 'end_turn',
  length: 'max_tokens',
  tool: 'tool_use',
  stopSequence: 'stop_sequence',
  refusal: 'refusal',
  unknown: 'paused_for_review',
} as const satisfies Record<ChatAnswer['end'], string>;

function contentOf(answer: ChatAnswer): readonly Record<string, unknown>[] {
  return [
    ...(answer.thinking === '' ? [] : [{ type: 'thinking', thinking: answer.thinking, signature: answer.signature }]),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.input })),
  ];
}

const event = (type: string, rest: Record<string, unknown> = {}) => jsonFrame({ type, ...rest }, type);
const delta = (index: number, value: Record<string, unknown>) => event('content_block_delta', { index, delta: value });

/** Yields the events of an answer at the service's pace. */
async function* framesOf(answer: ChatAnswer, id: string, { service, signal, modelName, fault }: Call): Frames {
  const usage = fault?.effect.kind === 'content' && fault.effect.how === 'noUsage' ? undefined : answer;
  yield event('message_start', {
    message: {
      id,
      type: 'message',
      role: 'assistant',
      content: [],
      model: modelName,
      stop_reason: null,
      stop_sequence: null,
      ...(usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens } }),
    },
  });
  await wait(service.pace().firstTokenMs, signal);
  let index = 0;
  if (answer.thinking !== '') {
    yield event('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    for await (const piece of pacedText(answer.thinking, service, signal))
      yield delta(index, { type: 'thinking_delta', thinking: piece });
    const half = Math.ceil(answer.signature.length / 2);
    yield delta(index, { type: 'signature_delta', signature: answer.signature.slice(0, half) });
    yield delta(index, { type: 'signature_delta', signature: answer.signature.slice(half) });
    yield event('content_block_stop', { index });
    index += 1;
  }
  if (answer.text !== '') {
    yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for await (const piece of pacedText(answer.text, service, signal))
      yield delta(index, { type: 'text_delta', text: piece });
    yield event('content_block_stop', { index });
    index += 1;
  }
  for (const call of answer.toolCalls) {
    yield event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    });
    yield delta(index, { type: 'input_json_delta', partial_json: '' });
    for (const piece of tokenise(JSON.stringify(call.input)))
      yield delta(index, { type: 'input_json_delta', partial_json: piece });
    yield event('content_block_stop', { index });
    index += 1;
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReasons[answer.end], stop_sequence: answer.stopSequence ?? null },
    ...(usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  });
  yield event('message_stop');
  yield doneFrame;
}

export const messages: Endpoint = {
  name: 'POST /messages',
  body: 'json',
  standIn: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
  takesApiKeyHeader: true,
  handle: async (call) => {
    const { service, signal, reply, modelName, fault } = call;
    const { chat, stream } = readMessagesRequest(call);
    requireBalance(service, chat.model);
    const answer = answerChat(chat);
    const id = `msg_${service.newId()}`;
    await charge(service, chat.model, (answer.inputTokens + answer.outputTokens) / 1000);
    if (stream) return reply.events(misbehave(framesOf(answer, id, call), fault, 'messages'));
    const { firstTokenMs, tokenMs } = service.pace();
    await wait(firstTokenMs + (tokenMs * answer.outputTokens) / 4, signal);
    return reply.json(200, {
      id,
      type: 'message',
      role: 'assistant',
      content: contentOf(answer),
      model: modelName,
      stop_reason: stopReasons[answer.end],
      stop_sequence: answer.stopSequence ?? null,
      ...(chat.content === 'noUsage'
        ? {}
        : { usage: { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens } }),
    });
  },
};
