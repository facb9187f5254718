import assert from 'node:assert/strict';
import {
  checkCompletionParameter,
  checkCompletionParameters,
  readCompletionParameters,
  toCompletionRequest,
} from '../../../../src/core/completion/completionParameters';
import type {
  CompletionParameterName,
  CompletionParameters,
} from '../../../../src/core/completion/completionParameters';
import { refusedName } from '../../../../src/core/completion/completionParameters';

const all: CompletionParameters = {
  max_tokens: 64,
  temperature: 0.2,
  top_p: 0.9,
  top_k: 40,
  n: 3,
  seed: -7,
  stop: ['\n\n', 'END'],
  repetition_penalty: 1.1,
  presence_penalty: -2,
  frequency_penalty: 2,
  logit_bias: { 50256: -100, 0: 100 },
  logprobs: 5,
};

describe('the parameters of a completion', () => {
  it('accept all values within the bounds, and are read back unchanged', () => {
    assert.deepEqual(checkCompletionParameters(all), []);
    assert.deepEqual(readCompletionParameters(JSON.parse(JSON.stringify(all))), all);
  });

  for (const [name, value, rule] of [
    ['max_tokens', 0, 'min'],
    ['max_tokens', 1.5, 'integer'],
    ['max_tokens', '64', 'type'],
    ['temperature', 2.01, 'max'],
    ['temperature', -0.1, 'min'],
    ['top_p', 2, 'max'],
    ['top_k', -2, 'min'],
    ['n', 0, 'min'],
    ['n', 129, 'max'],
    ['n', 1.5, 'integer'],
    ['seed', 0.5, 'integer'],
    ['presence_penalty', -2.1, 'min'],
    ['frequency_penalty', 2.1, 'max'],
    ['logprobs', true, 'type'],
    ['stop', 'END', 'type'],
    ['stop', [1], 'type'],
    ['logit_bias', [1], 'type'],
    ['logit_bias', { a: 1 }, 'pattern'],
    ['logit_bias', { '-1': 1 }, 'pattern'],
    ['logit_bias', { '1.5': 1 }, 'pattern'],
    ['logit_bias', { '': 1 }, 'pattern'],
    ['logit_bias', { '007': 1 }, 'pattern'],
    ['logit_bias', { 1: 'x' }, 'type'],
    ['logit_bias', { 1: 101 }, 'max'],
    ['logit_bias', { 1: -101 }, 'min'],
  ] as const satisfies readonly (readonly [CompletionParameterName, unknown, string])[]) {
    it(`report that ${name} ${JSON.stringify(value)} violates ${rule}, and omit it`, () => {
      assert.deepEqual(
        checkCompletionParameter(name, value).map((issue) => issue.rule),
        [rule],
      );
      assert.deepEqual(readCompletionParameters({ [name]: value, top_k: 1 }), { top_k: 1 });
    });
  }

  it('omit empty values and those that the model rejected from requests', () => {
    const base = { model: 'm', prompt: 'p', suffix: 'after' };
    assert.deepEqual(toCompletionRequest({ ...base, parameters: all, refused: [] }), { ...base, ...all });
    assert.deepEqual(
      toCompletionRequest({
        ...base,
        parameters: { stop: [], logit_bias: {}, n: 2, seed: 1 },
        refused: ['seed', 'suffix'],
      }),
      { model: 'm', prompt: 'p', n: 2 },
    );
  });

  it('include the sent parameter that a rejection is about', () => {
    const request = { model: 'm', prompt: 'p', suffix: 's', n: 2, stop: ['x'], logit_bias: { 1: 1 } };
    const about = (message: string, parameter?: string) => refusedName({ message, parameter }, request);
    assert.equal(about('no', 'logit_bias.1'), 'logit_bias');
    assert.equal(about('`suffix` is not currently supported'), 'suffix');
    assert.equal(about("'n' must be 1"), 'n');
    assert.equal(about('Stop sequences are not supported'), 'stop');
    assert.equal(about('temperature is not supported'), undefined);
    assert.equal(about('The server has to stop now'), undefined);
  });
});
