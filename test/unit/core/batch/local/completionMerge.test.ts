import { deepEqual } from 'node:assert/strict';
import { createCompletionMerge } from '../../../../../src/core/batch/local/completionMerge';

const merged = (...deltas: readonly unknown[]) => {
  const merge = createCompletionMerge();
  for (const delta of deltas) merge.add({ choices: [{ index: '0', delta }] });
  const [choice] = merge.read()['choices'] as readonly [{ readonly message: unknown }];
  return choice.message;
};

describe('the merged chunks of a response', () => {
  it('contain lists of content like a complete response (Mistral 2025-07)', () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
    deepEqual(
      merged(
        { role: 'assistant', content: '' },
        { content: [thinking('h')] },
        {
          content: [
            { ...thinking('m'), closed: true },
            { type: 'text', text: 'H' },
          ],
        },
        { content: 'i' },
        { content: '' },
        { content: [{ type: 'reference', reference_ids: [1] }, 7] },
      ),
      {
        role: 'assistant',
        content: [
          { ...thinking('hm'), closed: true },
          { type: 'text', text: 'Hi' },
          { type: 'reference', reference_ids: [1] },
          7,
        ],
      },
    );
  });

  it('assign an invalid index to the last call', () => {
    const piece = (index: unknown, id: string, text: string) => ({
      tool_calls: [{ index, id, function: { name: id && 'f', arguments: text } }],
    });
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    for (const index of ['0', -1, 1e9, 0.5]) {
      deepEqual(merged(piece(index, 'a', '{"a"'), piece(index, '', ':1}')), {
        role: 'assistant',
        content: '',
        tool_calls: [call],
      });
    }
  });

  it('separate calls by index, or by ID without one', () => {
    const piece = (index: number | undefined, id: string, text: string) => ({
      tool_calls: [{ index, id, function: { name: id && 'f', arguments: text } }],
    });
    const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } });
    const expected = { role: 'assistant', content: '', tool_calls: [call('a', '{"a":1}'), call('b', '{}')] };
    deepEqual(merged(piece(undefined, 'a', '{"a":1}'), piece(undefined, 'b', '{}')), expected);
    deepEqual(merged(piece(0, 'a', '{"a"'), piece(1, 'b', '{}'), piece(0, '', ':1}')), expected);
  });
});
