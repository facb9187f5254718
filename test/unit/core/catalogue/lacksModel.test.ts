import assert from 'node:assert/strict';
import { lacksModel } from '../../../../src/core/catalogue/lacksModel';

const listed = (...ids: readonly string[]) => ({ models: ids.map((id) => ({ id, types: [], subTypes: [] })) });

describe('whether an account lacks a model', () => {
  it("is determined only by a complete list that isn't empty", () => {
    const list = listed('vendor/one', 'vendor/two');
    assert.equal(lacksModel('vendor/one', list), false);
    assert.equal(lacksModel('vendor/three', list), true);
    assert.equal(lacksModel('vendor/three', { ...list, isPartial: true }), false);
    assert.equal(lacksModel('vendor/three', listed()), false);
    assert.equal(lacksModel('vendor/three', { ...list, unlisted: ['vendor/three'] }), false);
  });

  it('takes alternative names of services into account', () => {
    const cases: readonly (readonly [listed: string, name: string, lacks: boolean])[] = [
      // Ollama 0.12
      ['llama3.2:latest', 'llama3.2', false],
      ['llama3.2:1b', 'llama3.2', true],
      ['llama3.2:1b', 'llama3.2:3b', true],
      // OpenRouter
      ['openai/gpt-4o', 'openai/gpt-4o:online', false],
      ['openai/gpt-4o', 'openai/gpt-4', true],
      // Anthropic
      ['claude-sonnet-4-20250514', 'claude-sonnet-4-0', false],
      ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', false],
      ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest', false],
      ['claude-3-5-haiku-20241022', 'claude-3-5-sonnet-latest', true],
      ['claude-sonnet-4-20250514', 'claude-sonnet', true],
      // LiteLLM proxy 1.80
      ['openai/*', 'openai/gpt-4o', false],
      ['openai/*', 'anthropic/claude-sonnet-4', true],
      // The public service and OpenAI
      ['Qwen/Qwen3-8B', 'qwen/qwen3-8b', false],
      ['Qwen/Qwen3-8B', 'ft:LoRA/Qwen/Qwen3-8B:mine', false],
    ];
    for (const [id, name, lacks] of cases) assert.equal(lacksModel(name, listed(id)), lacks, `${id} ${name}`);
  });
});
