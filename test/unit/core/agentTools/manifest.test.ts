import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describedFor, inputSchemaOf } from '../../../../src/core/agentTools/agentTool';
import { agentTools } from '../../../../src/core/agentTools/agentTools';
import { agentToolNames } from '../../../../src/core/agentTools/toolNames';

interface DeclaredTool {
  readonly name: string;
  readonly displayName: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly toolReferenceName: string;
  readonly canBeReferencedInPrompt: boolean;
  readonly inputSchema: unknown;
  readonly when?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: { readonly languageModelTools: readonly DeclaredTool[] };
};
const declared = contributes.languageModelTools;

describe('the tools for models', () => {
  it('are the same in the list, the registered names, and the manifest', () => {
    const names = agentTools.map(({ name }) => name);
    assert.deepEqual(names, [...agentToolNames]);
    assert.deepEqual(
      declared.map(({ name }) => name),
      names,
    );
  });

  for (const tool of agentTools) {
    it(`${tool.name} matches its declaration`, () => {
      const found = declared.find(({ name }) => name === tool.name);
      assert.equal(found?.modelDescription, describedFor(tool, 'editor'));
      assert.deepEqual(found.inputSchema, inputSchemaOf(tool));
    });
  }

  it("are withheld if the service doesn't support their requests, except for those that report jobs", () => {
    const withheld = agentTools.filter(({ needs, name }) => needs && !/(Status|Results)$/.test(name));
    assert.deepEqual(
      declared.filter(({ when }) => when?.startsWith('!inferenceDesk.no')).map(({ name }) => name),
      withheld.map(({ name }) => name),
    );
  });

  it("aren't offered to VS Code directly while the MCP server offers them, so agents have each once", () => {
    const isOnce = (when = '') => when.split(' && ').includes('!config.inferenceDesk.mcp.enabled');
    assert.deepEqual(
      declared.filter(({ when }) => !isOnce(when)).map(({ name }) => name),
      [],
    );
  });

  it('can be referenced in a prompt by a unique name, with translated descriptions', () => {
    const references = declared.map(({ toolReferenceName }) => toolReferenceName);
    assert.equal(new Set(references).size, declared.length);
    for (const { name, displayName, userDescription, canBeReferencedInPrompt } of declared) {
      assert.match(name, /^(?!copilot_|vscode_)[\w-]+$/);
      assert.match(displayName, /^%tool\.\w+\.title%$/);
      assert.match(userDescription, /^%tool\.\w+\.description%$/);
      assert.ok(canBeReferencedInPrompt);
    }
  });

  it('have a description of each input property, within the length limit for models', () => {
    for (const tool of agentTools) {
      for (const where of ['editor', 'server'] as const) assert.ok(describedFor(tool, where).length < 1024, tool.name);
      const { properties } = inputSchemaOf(tool) as {
        readonly properties: Readonly<Record<string, { readonly description?: string }>>;
      };
      for (const [member, { description }] of Object.entries(properties))
        assert.ok(description, `${tool.name}.${member}`);
    }
  });
});
