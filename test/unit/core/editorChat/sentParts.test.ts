import assert from 'node:assert/strict';
import type { MessageParam } from '../../../../src/core/api/messages/messages.schema';
import { capabilitiesOf } from '../../../../src/core/capabilities/modelCapabilities';
import { toEditorRequest, sentParts } from '../../../../src/core/editorChat/chatRequest';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } } as const;
const shown: MessageParam = { role: 'user', content: [{ type: 'text', text: 'See?' }, image] };
const calls: MessageParam = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] };
const looked: MessageParam = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }] };

describe('causes of a rejection', () => {
  const capabilities = capabilitiesOf('any/model', { setting: { tools: true, images: true } });
  const sent = (messages: readonly MessageParam[], tools: readonly string[] = []) => {
    const offered = tools.map((name) => ({ name, input_schema: {} }));
    const question = { model: 'any/model', messages, tools: offered, toolRequired: false, options: {} };
    return sentParts(toEditorRequest(question, capabilities, undefined));
  };

  it('include images only if none came from a tool', () => {
    assert.equal(sent([shown]).images, true);
    assert.equal(sent([shown, calls, looked], ['look']).images, false);
    assert.equal(sent([{ role: 'user', content: 'See?' }]).images, false);
  });

  it('include tools if they were offered, and the response limit', () => {
    assert.deepEqual(sent([shown], ['look']), { tools: true, images: true, maxTokens: capabilities.outputTokens });
    assert.equal(sent([shown]).tools, false);
  });
});
