import assert from 'node:assert/strict';
import { agentTools } from '../../../../src/core/agentTools/agentTools';
import { runTool } from '../../../support/toolHost';

const short = (name: string) => name.replace('inferenceDesk_', '');

describe('the input of tools', () => {
  for (const { name } of agentTools) {
    it(`of ${name} is rejected without a request if it has an invalid type or unknown properties`, async () => {
      for (const wrong of ['text', 7, [], { nonsense: 1 }]) {
        const answer = await runTool(short(name), wrong);
        assert.equal(answer.isError, true);
        assert.match(answer.text, /must be|is missing|unknown properties/);
        assert.match(answer.text, /Correct the input/);
      }
    });
  }

  const refused: readonly (readonly [name: string, input: unknown, told: RegExp])[] = [
    ['rerank', {}, /"query" is missing/],
    ['rerank', { query: '', documents: ['a'] }, /"query" must have at least 1 characters/],
    ['rerank', { query: 'q', documents: [] }, /"documents" must have at least 1 items/],
    ['rerank', { query: 'q', documents: [1] }, /"documents.0" must be a string/],
    ['rerank', { query: 'q', documents: Array.from({ length: 1001 }, () => 'a') }, /no more than 1000 items/],
    ['rerank', { query: 'q', documents: ['a'], top: 0 }, /"top" must be at least 1/],
    ['rerank', { query: 'q', documents: ['a'], top: 1.5 }, /"top" must be a whole number/],
    ['findFiles', { question: 'x'.repeat(10_001) }, /no more than 10000 characters/],
    ['generateImage', { prompt: 'a cat', size: 'large' }, /"size" does not match the schema/],
    ['generateImage', { prompt: 'a cat', seed: -1 }, /"seed" must be at least 0/],
    ['submitVideo', { prompt: 'a cat', size: '1x1' }, /"size" must be one of: 1280x720/],
    ['videoStatus', { id: 'a', waitSeconds: 301 }, /no more than 300/],
    ['submitBatch', { file: 'a.jsonl', completionWindow: '24 hours' }, /"completionWindow" does not match the schema/],
    ['batchResults', { id: 'a', only: 'some' }, /must be one of: all, answered, failed/],
    ['accountBalance', { account: 'mine' }, /unknown properties: account/],
  ];
  for (const [name, input, reported] of refused) {
    it(`${name} explains the problem: ${String(reported)}`, async () => {
      assert.match((await runTool(name, input)).text, reported);
    });
  }

  it('can be omitted for a tool without input', async () => {
    const answer = await runTool('accountBalance', undefined, {
      balance: async () => ({ totalBalance: '1.501', balance: '0.5', currency: 'USD' as const }),
    });
    assert.equal(answer.text, 'Balance: $1.50 (bonus credit: $0.50).');
    assert.equal(answer.data?.['totalBalance'], '1.501');
  });
});
