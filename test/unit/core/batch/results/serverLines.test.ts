import { deepEqual, equal } from 'node:assert/strict';
import { readResult } from '../../../../../src/core/batch/results/resultLine';

const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const body = { id: 'c-1', object: 'chat.completion', created: 1_741_685_413, model: 'm', choices, usage };

/** What is read of a line, in short. */
function read(line: object) {
  const result = readResult({ custom_id: 'request-1', ...line });
  if (!result) return 'not a result';
  const { status, failure, body: answer, usage: counts } = result;
  return failure ? { status, failure } : { status, choices: answer?.['choices'], ...counts };
}

describe('result lines of other servers', () => {
  const answered = { choices, input: 3, output: 2, total: 5, reasoning: undefined };

  it('are responses of OpenAI, vLLM 0.11, Groq, LiteLLM 1.77, and the vendor', () => {
    const openai = { id: 'batch_req_1', response: { status_code: 200, request_id: 'r', body }, error: null };
    deepEqual(read(openai), { status: 200, ...answered });
    const vllm = { id: 'vllm-1', response: { status_code: 200, request_id: 'vllm-batch-1', body }, error: null };
    deepEqual(read(vllm), { status: 200, ...answered });
    deepEqual(read({ response: { request_id: 'r', body }, error: null }), { status: undefined, ...answered });
    deepEqual(read({ response: { status_code: '200', body: JSON.stringify(body) }, error: {} }), {
      status: 200,
      ...answered,
    });
    deepEqual(read({ response: { body: { code: 20000, message: 'Ok', status: true, data: body } } }), {
      status: undefined,
      ...answered,
    });
    deepEqual(read({ response: body }), { status: undefined, ...answered });
  });

  it('have no answer if their text is only a thought between tags', () => {
    const outcomeOf = (content: string, more: object = {}) => {
      const choice = { message: { role: 'assistant', content }, finish_reason: 'stop', ...more };
      return readResult({ custom_id: 'a', response: { status_code: 200, body: { ...body, choices: [choice] } } })
        ?.outcome;
    };
    equal(outcomeOf('<think>\nHm.\n</think>\n\n'), 'empty');
    equal(outcomeOf('<think>Hm.'), 'empty');
    equal(outcomeOf('<think>Hm.</think>Yes'), 'answered');
    equal(outcomeOf('The tag <think> is one.'), 'answered');
    equal(outcomeOf('<think>Hm.', { finish_reason: 'length' }), 'truncated');
  });

  it("count tokens in strings, and omit values that aren't numbers", () => {
    const counts = { prompt_tokens: '3', completion_tokens: '2', total_tokens: null };
    deepEqual(read({ response: { body: { ...body, usage: counts } } }), { status: undefined, ...answered });
    for (const odd of [null, 'text', 7, [], { prompt_tokens: {} }]) {
      const result = read({ response: { body: { ...body, created: odd, model: odd, id: odd, usage: odd } } });
      deepEqual(result, {
        status: undefined,
        choices,
        input: undefined,
        output: undefined,
        total: undefined,
        reasoning: undefined,
      });
    }
  });

  it('are failures with their message at each place where servers put it', () => {
    const words = 'The model `x` does not exist.';
    const failed = (status: number | undefined, code: string, message = words) => ({
      status,
      failure: { code, message },
    });
    const error = { message: words, type: 'NotFoundError', param: null, code: 404 };
    // vLLM 0.11: the whole body of the refusal, or one sentence.
    deepEqual(
      read({ response: { status_code: 404, request_id: 'r', body: null }, error: { error } }),
      failed(404, '404'),
    );
    deepEqual(read({ response: { status_code: 400, request_id: 'r', body: null }, error: words }), failed(400, '400'));
    // vLLM before 0.10
    deepEqual(
      read({ response: { status_code: 404, body: null }, error: { object: 'error', ...error } }),
      failed(404, '404'),
    );
    // OpenAI: refused in the body, and never begun.
    deepEqual(
      read({ response: { status_code: 404, body: { error: { ...error, code: 'model_not_found' } } }, error: null }),
      failed(404, 'model_not_found'),
    );
    deepEqual(
      read({ response: null, error: { code: 'batch_expired', message: words } }),
      failed(undefined, 'batch_expired'),
    );
    // A status that is text, and an error that is only a status.
    deepEqual(read({ response: { status_code: '404', body: { message: words } } }), failed(404, '404'));
    // The vendor
    deepEqual(read({ response: { body: { code: 20012, message: words, data: null } } }), failed(undefined, '20012'));
    deepEqual(read({ response: { body: { code: '20012', message: words, data: null } } }), failed(undefined, '20012'));
  });

  it('have a text or numeric ID', () => {
    const result = readResult({ custom_id: 17, response: { body } });
    equal(result?.customId, '17');
    equal(readResult({ custom_id: null, response: { body } })?.customId, '');
  });
});
