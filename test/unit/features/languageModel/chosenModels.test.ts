import { deepEqual } from 'node:assert/strict';
import type { CatalogueModel } from '../../../../src/core/catalogue/model';
import { chosenModels } from '../../../../src/features/languageModel/logic/chosenModels';

const chat = (id: string): CatalogueModel => ({ id, types: ['text'], subTypes: ['chat'] });

const chosen = (...ids: readonly string[]) =>
  chosenModels({ models: ids.map(chat), pins: ids, defaults: {} }).map(({ id }) => id);

describe('the models selected for VS Code', () => {
  it('include IDs in the form that services use', () => {
    const usual = [
      'Qwen/Qwen3-30B-A3B-Instruct-2507',
      'deepseek-ai/DeepSeek-V3.1',
      'Pro/zai-org/GLM-4.7',
      'openai/gpt-oss-20b:free',
      'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M',
      '@cf/meta/llama-3.1-8b-instruct',
      '模型/对话-7B (beta)',
    ];
    deepEqual(chosen(...usual), usual);
  });

  it('exclude IDs whose hover would contain links, images, icons, or code', () => {
    const planted = [
      'acme/[Details](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)',
      '<command:workbench.action.quit>',
      'acme/<https://planted.example>',
      'https://planted.example/x',
      'www.planted.example',
      '![x](https://planted.example/x.png)',
      'acme/$(verified) x',
      'acme/`x`',
      'acme/&#91;x](command:x)',
      'acme/x\n\n# y',
      'acme/x\u202Ey',
      `acme/${'x'.repeat(300)}`,
      '',
    ];
    deepEqual(chosen(...planted), []);
  });
});
