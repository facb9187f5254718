import assert from 'node:assert/strict';
import {
  readChatParameters,
  refusedParameter,
  requestParameters,
} from '../../../../src/core/conversation/chatParameters';
import { placeIn, readOwnTool } from '../../../../src/core/conversation/ownTool';
import { namedTools, toolNamePattern } from '../../../../src/core/conversation/tools';
import type { OfferedTool, ToolDefinition } from '../../../../src/core/conversation/tools';

const input_schema = { type: 'object', properties: {} };
const editorTool = (name: string): ToolDefinition => ({ name, description: `Does ${name}.`, input_schema });
const offer = (name: string): OfferedTool => ({ source: 'editor', name });
const own = (name: string): OfferedTool => ({ source: 'own', name, input_schema });

describe('tools in requests', () => {
  it('keep valid names, and get a stable one otherwise', () => {
    const long = `mcp_server_${'x'.repeat(80)}`;
    const registered = ['search', 'read.file', long].map(editorTool);
    const names = (...tools: readonly OfferedTool[]) =>
      namedTools(tools, registered).map(({ definition }) => definition.name);
    const all = names(offer('search'), offer('read.file'), offer(long));
    assert.equal(all[0], 'search');
    assert.match(all[1] ?? '', /^read_file_[0-9a-f]{8}$/);
    assert.ok(all.every((name) => toolNamePattern.test(name)));
    assert.deepEqual(names(offer(long), offer('read.file')), [all[2], all[1]]);
  });

  it('have unique names, of which custom tools keep the typed one', () => {
    const named = namedTools([offer('search'), own('search')], [editorTool('search')]);
    assert.deepEqual(
      named.map(({ offered, definition }) => [offered.source, definition.name === 'search']),
      [
        ['own', true],
        ['editor', false],
      ],
    );
  });

  it('are omitted when they are removed, along with a tool choice without tools', () => {
    const terms = { notTaken: [], editorTools: [editorTool('there')], instructions: '' };
    const tools = [offer('there'), offer('gone')];
    assert.deepEqual(requestParameters({ tools, tool_choice: { type: 'tool', name: 'there' } }, terms), {
      tools: [editorTool('there')],
      tool_choice: { type: 'tool', name: 'there' },
    });
    assert.deepEqual(
      requestParameters({ tools, tool_choice: { type: 'tool', name: 'gone' } }, terms).tool_choice,
      undefined,
    );
    assert.deepEqual(requestParameters({ tools: [offer('gone')], tool_choice: { type: 'any' } }, terms), {});
  });

  it("aren't sent to a model that rejected them, nor is a tool choice", () => {
    const parameters = { top_k: 3, tools: [own('a')], tool_choice: { type: 'any' } } as const;
    assert.deepEqual(requestParameters(parameters, { notTaken: ['tools'], editorTools: [], instructions: '' }), {
      top_k: 3,
    });
    const withoutChoice = requestParameters(parameters, {
      notTaken: ['tool_choice'],
      editorTools: [],
      instructions: '',
    });
    assert.deepEqual(Object.keys(withoutChoice), ['top_k', 'tools']);
  });

  for (const [message, expected] of [
    ['Value error, current model does not support parameter `tools`.', 'tools'],
    ['Function call is not supported for this model.', 'tools'],
    ['"auto" tool choice requires --enable-auto-tool-choice to be set', 'tool_choice'],
    ['messages[2]: tool_result toolu_1 has no tool_use in the message before it', undefined],
  ] as const) {
    it(`are ${expected ?? 'not'} the cause of a rejection with: ${message}`, () => {
      const sent = { tools: [editorTool('a')], tool_choice: { type: 'auto' } } as const;
      assert.equal(refusedParameter({ message }, sent), expected);
    });
  }

  it('are loaded from a record without invalid ones', () => {
    const tools = [own('mine'), offer('theirs')];
    const tool_choice = { type: 'tool', name: 'mine', disable_parallel_tool_use: true };
    const foreign = [{ source: 'own', name: 'no schema' }, { source: 'editor' }, null, 'x'];
    assert.deepEqual(readChatParameters({ tools: [...tools, ...foreign], tool_choice }), { tools, tool_choice });
    assert.deepEqual(readChatParameters({ tools: foreign, tool_choice: { type: 'maybe' } }), {});
  });
});

describe('a typed tool definition', () => {
  const read = (schema: string, name = 'look_up') =>
    readOwnTool({ name, description: ' Looks. ', schema }, new Set(['taken']));

  it("is parsed into the service's form", () => {
    const schema = '{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}';
    assert.deepEqual(read(schema), {
      tool: { name: 'look_up', description: 'Looks.', input_schema: JSON.parse(schema) },
      faults: [],
    });
    assert.deepEqual(read('').tool?.input_schema, { type: 'object', properties: {} });
  });

  for (const [schema, code, at] of [
    ['{"type": "object",}', 'schema.syntax', '}'],
    ['{"type" "object"}', 'schema.syntax', '"object"'],
    ['{"type": "object"', 'schema.syntax', ''],
    ['[]', 'schema.notObject', '['],
    ['{"properties": {}}', 'schema.typeNotObject', '{'],
    ['{"type": "string"}', 'schema.typeNotObject', '"string"'],
    ['{"type": "object", "properties": []}', 'schema.propertiesNotObject', '[]'],
    ['{"type": "object", "properties": {"a": {"type": "text"}}}', 'schema.typeUnknown', '"text"'],
    ['{"type": "object", "properties": {"a": {"items": 5}}}', 'schema.notSchema', '5'],
    ['{"type": "object", "properties": {}, "required": "a"}', 'schema.requiredNotNames', '"a"'],
    ['{"type": "object", "properties": {}, "required": ["a"]}', 'schema.requiredUnknown', '"a"'],
    ['{"type": "object", "properties": {"a": {"enum": "b"}}}', 'schema.enumNotList', '"b"'],
  ] as const) {
    it(`reports ${code} at its location: ${schema}`, () => {
      const { tool, faults } = read(schema);
      assert.equal(tool, undefined);
      assert.equal(faults[0]?.code, code);
      const offset = 'offset' in faults[0] ? faults[0].offset : -1;
      assert.ok(schema.slice(offset).startsWith(at), `${offset}`);
      if (at === '') assert.equal(offset, schema.length);
    });
  }

  it('requires a valid name that no other custom tool has', () => {
    const codes = ['', 'with space', 'x'.repeat(65), 'taken', 'fine'].map((name) => read('', name).faults[0]?.code);
    assert.deepEqual(codes, ['name.empty', 'name.pattern', 'name.pattern', 'name.taken', undefined]);
  });

  it('counts lines and columns like VS Code', () => {
    assert.deepEqual(placeIn('a\r\nb\nc', 5), { line: 3, column: 1 });
    assert.deepEqual(placeIn('ab', 2), { line: 1, column: 3 });
  });
});
