import { batchLine, writeBatchFile } from './batchLines';

/** A stride without a common factor with counts of twos and fives. */
const stride = 7919;

/** Returns the response to request `number`, about this many bytes long. */
function resultLine(number: number, bytes: number): string {
  const customId = `request-${number}`;
  const usage = { prompt_tokens: 40, completion_tokens: 200, total_tokens: 240 };
  const text = `Answer ${number}. `.repeat(Math.ceil(Math.max(1, bytes - 420) / 17));
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
  const body = { id: `0199${number}`, object: 'chat.completion', created: 1_763_720_000, model: 'm', choices, usage };
  return JSON.stringify({
    id: `batch_req_${number}`,
    custom_id: customId,
    response: { request_id: 'r', body },
    error: null,
  });
}

/** Writes this many requests and, in another order, results of a given size. Every tenth is an error. */
export function writeRun(
  input: string,
  output: string,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): number {
  writeBatchFile(input, count, (number) => batchLine(number, 280));
  return writeBatchFile(output, count, (index) => {
    const number = (index * stride) % count;
    if (number % 10 !== 0) return resultLine(number, bytes);
    const error = { code: 'batch_expired', message: `Request ${number} was not run before its window ended.` };
    return JSON.stringify({ id: `batch_req_${number}`, custom_id: `request-${number}`, response: null, error });
  });
}
