import assert from 'node:assert/strict';
import type { ChatParameters } from '../../../../../src/core/conversation/chatParameters';
import type { EditorTool, EditorTools } from '../../../../../src/features/chat/logic/toolAccess';
import { readOwnToolFile } from '../../../../../src/features/chat/logic/toolSettings';
import { createMemoryToolSettings } from '../../../../support/noTools';

type Kind = EditorTool['group']['kind'];
const registered = (name: string, kind: Kind = 'extension', group = 'Files'): EditorTool => ({
  name,
  label: name.toUpperCase(),
  description: `Does ${name}.`,
  input_schema: { type: 'object', properties: {} },
  group: { id: `${kind}:${group}`, kind, label: group },
});
const form = { name: 'mine', description: 'My own.', schema: '' };

describe('the tools panel', () => {
  let list: EditorTool[];
  const desk = () => createMemoryToolSettings({ list: () => list, mayRun: true } as unknown as EditorTools);
  const none = { allowed: new Set<string>(), isRefused: false };

  beforeEach(() => {
    list = [registered('read'), registered('find', 'mcp', 'GitHub')];
  });

  it('shows custom tools first, then each extension and server, then selected tools that are missing', async () => {
    const one = desk();
    await one.save(form, undefined);
    const offered = await one.offer({}, ['editor:read', 'editor:find', 'own:mine'], true);
    list = list.filter(({ name }) => name !== 'find');
    const state = await one.describe({ parameters: offered, ...none, allowed: new Set(['read']) }, 'm');
    assert.deepEqual(
      state.groups.map(({ kind, label, tools }) => [kind, label, tools.map((tool) => [tool.id, tool.offered])]),
      [
        ['own', 'Your tools', [['own:mine', true]]],
        ['extension', 'Files', [['editor:read', true]]],
        ['gone', 'Unavailable (not sent)', [['editor:find', true]]],
      ],
    );
    assert.equal(state.offered, 2);
    assert.equal(state.groups[1]?.tools[0]?.allowedAlways, true);
  });

  it('lists our tools and workspace servers before other extensions, and built-in tools last', async () => {
    list = [
      registered('a', 'editor', 'Editor'),
      registered('b', 'extension', 'Extension'),
      registered('c', 'mcp', 'Server'),
      registered('d', 'desk', 'Desk'),
    ];
    const { groups } = await desk().describe({ parameters: {}, ...none }, 'm');
    assert.deepEqual(
      groups.map(({ kind }) => kind),
      ['desk', 'mcp', 'extension', 'editor'],
    );
  });

  it("reports where tools don't run, and where they aren't sent", async () => {
    const restricted = createMemoryToolSettings({ list: () => [], mayRun: false } as unknown as EditorTools);
    assert.match((await restricted.describe({ parameters: {}, ...none }, 'm')).notRun ?? '', /Trust the workspace/);
    assert.equal(
      (await desk().describe({ parameters: {}, ...none, isRefused: true }, 'refuses')).notTaken,
      "refuses doesn't support tool calls, so no tools are sent.",
    );
  });

  it('limits the number of tools per request, and offers only available ones', async () => {
    list = Array.from({ length: 200 }, (_, index) => registered(`t${index}`));
    const ids = list.map(({ name }) => `editor:${name}`);
    const most = await desk().offer({}, ids.slice(0, 128), true);
    assert.equal(most.tools?.length, 128);
    await assert.rejects(desk().offer(most, [ids[128]!], true), /The limit is 128/);
    assert.equal((await desk().offer(most, ids.slice(0, 2), true)).tools?.length, 128);
    await assert.rejects(desk().offer({}, ['editor:nothing'], true), /tool isn't available/);
    assert.deepEqual(
      await desk().offer({ top_k: 1, tools: [{ source: 'editor', name: 'gone' }] }, ['editor:gone'], false),
      {
        top_k: 1,
      },
    );
  });

  it('saves the tool choice, and shows it', async () => {
    const parameters: ChatParameters = { tools: [{ source: 'editor', name: 'read' }] };
    for (const [choice, wire] of [
      [{ type: 'unset', single: false }, undefined],
      [
        { type: 'auto', single: true },
        { type: 'auto', disable_parallel_tool_use: true },
      ],
      [{ type: 'any', single: false }, { type: 'any' }],
      [{ type: 'none', single: false }, { type: 'none' }],
      [
        { type: 'tool', tool: 'editor:read', single: false },
        { type: 'tool', name: 'read' },
      ],
    ] as const) {
      const chosen = desk().choose(parameters, choice);
      assert.deepEqual(chosen.tool_choice, wire);
      assert.deepEqual((await desk().describe({ parameters: chosen, ...none }, 'm')).choice, choice);
    }
    assert.throws(
      () => desk().choose(parameters, { type: 'tool', tool: 'own:x', single: false }),
      /tool isn't available/,
    );
  });

  it('stores custom tools by name, and replaces one on request', async () => {
    const one = desk();
    assert.equal((await one.save(form, undefined)).tool?.name, 'mine');
    assert.deepEqual((await one.save(form, undefined)).issues, [
      { field: 'name', text: 'Another of your tools has this name.' },
    ]);
    assert.equal((await one.save({ ...form, name: 'renamed' }, 'mine')).tool?.name, 'renamed');
    const state = await one.describe({ parameters: {}, ...none }, 'm');
    assert.deepEqual(
      state.groups[0]?.tools.map(({ name }) => name),
      ['renamed'],
    );
    await one.delete('renamed');
    assert.equal((await one.describe({ parameters: {}, ...none }, 'm')).groups[0]?.kind, 'mcp');
  });

  it("keeps the definition in a conversation when the library's is changed or deleted", async () => {
    const one = desk();
    await one.save(form, undefined);
    const parameters = await one.offer({}, ['own:mine'], true);
    await one.save({ ...form, description: 'Changed.' }, 'mine');
    await one.delete('mine');
    const [group] = (await one.describe({ parameters, ...none }, 'm')).groups;
    assert.deepEqual(
      group?.tools.map(({ description, offered }) => [description, offered]),
      [['My own.', true]],
    );
  });

  it('restores its file, and ignores other files', () => {
    const file = { tools: [{ name: 'a', input_schema: { type: 'object' } }] };
    assert.deepEqual(readOwnToolFile(JSON.parse(JSON.stringify(file))), file);
    assert.equal(readOwnToolFile({ tools: [{ name: 'a' }] }), undefined);
  });
});
