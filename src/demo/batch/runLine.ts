import { charge } from '../billing';
import { answerMany, chatBody } from '../endpoints/chatCompletions';
import { readChatRequest } from '../endpoints/chatRequest';
import { faultNameOf, findFault } from '../faults';
import type { Fault } from '../faults/fault';
import { Refusal, unknownModel } from '../refusal';
import { type Service, secondsOf } from '../service';
import { isRecord } from '../validate';
import type { BatchLine } from './readBatchFile';

export interface LineResult {
  readonly ok: boolean;
  /** One line of the output or error file, without its line ending. */
  readonly text: string;
}

/** Batches cost half the price. */
const discount = 0.5;
const standIn = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

export function failedLine(
  service: Service,
  customId: string,
  error: { readonly code: string; readonly message: string },
): LineResult {
  return {
    ok: false,
    text: JSON.stringify({ id: `batch_req_${service.newId()}`, custom_id: customId, response: null, error }),
  };
}

function faultFor(model: string): Fault | undefined {
  const name = faultNameOf(model);
  const fault = name === undefined ? undefined : findFault(name);
  if (name !== undefined && fault === undefined) throw unknownModel();
  if (fault?.effect.kind !== 'answer') return fault;
  const { body, status } = fault.effect;
  const [code, message] = isRecord(body) ? [body['code'], body['message']] : [undefined, body];
  throw new Refusal(status, typeof code === 'number' ? code : status, typeof message === 'string' ? message : 'failed');
}

/** Runs one request as `POST /chat/completions` would; a refusal becomes a line of the error file. */
export async function runLine(
  service: Service,
  { customId, body }: BatchLine,
  replaceModel: string | null,
): Promise<LineResult> {
  const named = replaceModel ?? (typeof body['model'] === 'string' ? body['model'] : '');
  try {
    const fault = faultFor(named);
    const { chat, n } = readChatRequest({ ...body, model: fault === undefined ? named : standIn }, fault);
    const answers = answerMany(chat, n);
    const tokens = (answers[0]?.inputTokens ?? 0) + answers.reduce((sum, answer) => sum + answer.outputTokens, 0);
    await charge(service, chat.model, (tokens / 1000) * discount, { isBatch: true });
    const identity = { id: service.newId(), model: named, created: secondsOf(service.clock()) };
    const response = { request_id: service.newId(), body: chatBody(answers, identity) };
    return {
      ok: true,
      text: JSON.stringify({ id: `batch_req_${service.newId()}`, custom_id: customId, response, error: null }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failedLine(service, customId, { code: String(error.code), message: error.message });
  }
}
