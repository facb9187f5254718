import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { changesAfter, isLasting, withChange } from '../../../../../src/core/batch/results/retryChanges';
import { retryAdvice, writeRetry } from '../../../../../src/core/batch/results/writeRetry';
import type { RetryRequest } from '../../../../../src/core/batch/results/writeRetry';
import type { ResultsTable } from '../../../../../src/core/batch/results/resultsTable';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, quiet } from './openTable';
import { answerLine, errorLine } from './resultLines';

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const messages = [{ role: 'user', content: 'Hi' }];

function request(id: string, parameters: object, url = '/v1/chat/completions'): string {
  return JSON.stringify({ custom_id: id, method: 'POST', url, body: { model: 'm', messages, ...parameters } });
}

function truncatedLine(id: string, tokens: number, finish = 'length'): string {
  return answerLine(id, 'Once upon', tokens).replace('"stop"', JSON.stringify(finish));
}

function rejectedLine(id: string, message: string): string {
  const response = { status_code: 400, body: { error: { message, type: 'invalid_request_error' } } };
  return JSON.stringify({ custom_id: id, response, error: null });
}

describe('Changes to requests that are retried', () => {
  const open = openTables();
  const folder = setUpFolder();
  const write = (name: string, content: string) => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };
  const joined = (requests: readonly string[], results: readonly string[]) =>
    open({
      input: { path: write('in.jsonl', lines(...requests)) },
      outputs: [write('out.jsonl', lines(...results))],
      errors: [],
    });
  const bodies = async (table: ResultsTable, request: Omit<RetryRequest, 'target' | 'replace'>) => {
    const target = folder.in('retry.jsonl');
    await writeRetry(table, { ...request, target, replace: true }, quiet);
    const texts = readFileSync(target, 'utf8').trimEnd().split('\n');
    return texts.map((text) => {
      const {
        model: _model,
        messages: _messages,
        ...parameters
      } = (JSON.parse(text) as { readonly body: object }).body as Readonly<Record<string, unknown>>;
      return parameters;
    });
  };

  // As services write them, with the parameters of the request and those after the change.
  const cases: readonly (readonly [message: string, before: object, after: object])[] = [
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { max_tokens: 50 },
      { max_completion_tokens: 50 },
    ],
    [
      "Unsupported parameter: 'max_tokens'. In the Responses API, this parameter has moved to 'max_output_tokens'. Use 'max_output_tokens' instead.",
      { max_tokens: 50 },
      { max_output_tokens: 50 },
    ],
    [
      'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
      { max_tokens: 200_000 },
      { max_tokens: 16_384 },
    ],
    [
      'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
      { max_tokens: 100_000 },
      { max_tokens: 8192 },
    ],
    [
      'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      { max_tokens: 9000 },
      { max_tokens: 8192 },
    ],
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (904 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
      { max_tokens: 4096 },
      { max_tokens: 3192 },
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 904 input tokens (4096 > 4096 - 904). None",
      { max_completion_tokens: 4096 },
      { max_completion_tokens: 3192 },
    ],
    [
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      { max_tokens: 21_333 },
      { max_tokens: 11_760 },
    ],
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      { temperature: 0.2, top_p: 1 },
      { top_p: 1 },
    ],
    [
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
      { temperature: 3 },
      { temperature: 2 },
    ],
    ["3 is greater than the maximum of 2 - 'temperature'", { temperature: 3 }, { temperature: 2 }],
    ["-3 is less than the minimum of -2 - 'frequency_penalty'", { frequency_penalty: -3 }, { frequency_penalty: -2 }],
    ['temperature must be between 0 and 1', { temperature: 1.5 }, { temperature: 1 }],
    ['top_p must be in (0, 1], got 0.', { top_p: 0 }, { top_p: 0.01 }],
    [
      '<400> InternalError.Algo.InvalidParameter: Temperature should be in [0.0, 2.0)',
      { temperature: 2 },
      { temperature: 1.99 },
    ],
    ['temperature: Input should be less than or equal to 1', { temperature: 1.2 }, { temperature: 1 }],
    ['Unrecognized request argument supplied: top_k', { top_k: 4, n: 1 }, { n: 1 }],
    ["Unknown parameter: 'n'.", { top_k: 4, n: 1 }, { top_k: 4 }],
    ['foo: Extra inputs are not permitted', { foo: 4 }, {}],
    [
      "This model does not support the 'reasoning_effort' parameter.",
      { reasoning_effort: 'low', temperature: 1 },
      { temperature: 1 },
    ],
  ];
  for (const [message, before, after] of cases) {
    it(`follow the rejection "${message.slice(0, 60)}"`, () => {
      const failure = { code: 'invalid_request_error', message };
      assert.equal(isLasting(failure, 400), true);
      const line = request('a', before);
      const changed = changesAfter(failure, line).reduce(withChange, line);
      const { body } = JSON.parse(changed) as { readonly body: object };
      assert.deepEqual(body, { model: 'm', messages, ...after });
    });
  }

  it("aren't invented if a rejection names no parameter, a required one, or another one", () => {
    const line = request('a', { temperature: 1, n: 1, stop: 'x' });
    for (const message of [
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
      "Invalid value for 'messages[0].content': not supported.",
      'The model does not support this.',
      "Unsupported parameter: 'top_k'",
      'Stop: n is not supported here',
      "'temperature' must be a number",
    ])
      assert.deepEqual(changesAfter({ code: '400', message }, line), [], message);
  });

  it("aren't required for temporary failures", () => {
    for (const [code, message, status] of [
      ['503', 'The service is overloaded.', 503],
      ['rate_limit_exceeded', 'Rate limit reached', 429],
      ['batch_expired', 'This request could not be executed before the completion window expired.', undefined],
      ['insufficient_quota', 'You exceeded your current quota', 429],
      ['', 'Something', undefined],
    ] as const)
      assert.equal(isLasting({ code, message }, status), false, message);
  });

  it('are counted before a retry, made on request, and not made to edited lines', async () => {
    const tooMuch = 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens.';
    const requests = [
      request('a', { max_tokens: 9000 }),
      request('b', { max_tokens: 9000, top_k: 1 }),
      request('c', { top_k: 1 }),
      request('d', { top_k: 1 }),
      request('e', {}),
    ];
    const results = [
      rejectedLine('a', tooMuch),
      rejectedLine('b', tooMuch),
      rejectedLine('c', "Unknown parameter: 'top_k'."),
      errorLine('d', 'The service is overloaded.', '503'),
    ];
    const table = await joined(requests, results);
    assert.deepEqual(await retryAdvice(table, 'unanswered', quiet), {
      rejected: 3,
      rejection: { code: 'invalid_request_error', message: tooMuch },
      changes: [
        { kind: 'set', name: 'max_tokens', least: 4096, most: 4096, count: 2 },
        { kind: 'remove', name: 'top_k', count: 1 },
      ],
    });
    const unchanged = [{ max_tokens: 9000 }, { max_tokens: 9000, top_k: 1 }, { top_k: 1 }, { top_k: 1 }, {}];
    assert.deepEqual(await bodies(table, { which: 'unanswered' }), unchanged);
    const changed = [{ max_tokens: 4096 }, { max_tokens: 4096, top_k: 1 }, {}, { top_k: 1 }, {}];
    assert.deepEqual(await bodies(table, { which: 'unanswered', applyChanges: true }), changed);
    const edited = await open({
      input: {
        path: write('sent.jsonl', lines(...requests)),
        current: write('now.jsonl', lines(request('a', { max_tokens: 8000 }), ...requests.slice(1))),
      },
      outputs: [write('out.jsonl', lines(...results))],
      errors: [],
    });
    assert.equal((await retryAdvice(edited, 'failed', quiet)).rejected, 2);
    assert.deepEqual((await bodies(edited, { which: 'failed', applyChanges: true }))[0], { max_tokens: 8000 });
  });

  it('set the limit of truncated responses under the name used by the request or its endpoint', async () => {
    const requests = [
      request('a', { max_tokens: 20 }),
      request('b', { max_completion_tokens: 30 }),
      request('c', {}),
      request('d', {}, '/v1/responses'),
      request('e', { max_tokens: 20 }),
    ];
    const table = await joined(requests, [
      truncatedLine('a', 20),
      truncatedLine('b', 30),
      truncatedLine('c', 64),
      truncatedLine('d', 40, 'max_output_tokens'),
      // Interrupted, which a higher limit doesn't prevent.
      truncatedLine('e', 7, 'error'),
    ]);
    assert.deepEqual(await retryAdvice(table, 'truncated', quiet), {
      rejected: 0,
      changes: [],
      truncated: { count: 4, models: ['m'], limit: 30, input: 1, output: 64 },
    });
    assert.deepEqual(await bodies(table, { which: 'truncated', answerTokens: 128 }), [
      { max_tokens: 128 },
      { max_completion_tokens: 128 },
      { max_tokens: 128 },
      { max_output_tokens: 128 },
      { max_tokens: 128 },
    ]);
  });
});
