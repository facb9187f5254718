import { deepEqual, equal, match, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { createEditorTools } from '../../src/features/chat/tools/editorTools';
import { ServerOffer } from '../../src/features/mcp/serverOffer';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

/** As the editor names it: extension, then label. */
const serverId = 'inference-desk.inference-desk/Inference Desk';

describe('the MCP server in VS Code', function () {
  this.timeout(180_000);
  let services: Services;
  let demo: FilledDemo;
  let offer: ServerOffer;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
  });
  beforeEach(async () => {
    await staySignedIn(services, 'work', demo);
    await ensureSettings(services.settings, { 'mcp.enabled': true });
    offer = new ServerOffer(services);
  });
  after(async () => {
    await services.settings.set('mcp.enabled', false);
    await beginAnew(services);
    await demo.close();
  });

  const offered = async () => {
    const [definition] = await offer.provide();
    ok(definition);
    return definition;
  };
  const launch = ({ command, args, env, cwd }: vscode.McpStdioServerDefinition) => ({ command, args, env, cwd });

  it('is offered without the key and URL if the setting is on and a key exists', async () => {
    await services.settings.set('mcp.enabled', false);
    deepEqual(await offer.provide(), []);
    await services.settings.set('mcp.enabled', true);
    const reported = JSON.stringify(launch(await offered()));
    ok(!reported.includes(demo.apiKey) && !reported.includes(demo.baseUrl), reported);
    await services.profiles.signOut('work');
    deepEqual(await offer.provide(), []);
    await beginAnew(services);
    deepEqual(await offer.provide(), []);
  });

  it("gets the key when it starts, and runs in VS Code's own Node.js", async () => {
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1_000_000 });
    const definition = await offered();
    const { command, args, env } = await offer.resolve(definition);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    deepEqual([env['INFERENCE_DESK_API_KEY'], env['INFERENCE_DESK_BASE_URL']], [demo.apiKey, demo.baseUrl]);
    ok(!JSON.stringify(definition.env).includes(demo.apiKey));
    const texts = Object.entries(env).map(([name, value]) => [name, String(value)] as const);
    const transport = new StdioClientTransport({ command, args, env: Object.fromEntries(texts), stderr: 'ignore' });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const usage = await services.usage();
    const before = await usage.today('work');
    const toolsBefore = await usage.today('work', 'tools');
    try {
      equal(
        client.getServerVersion()?.version,
        (services.context.extension.packageJSON as { version: string }).version,
      );
      const { content } = await client.callTool({ name: 'inferenceDesk_accountBalance', arguments: {} });
      match(JSON.stringify(content), /Balance: /);
      const ranked = { query: 'q', documents: ['a text', 'another text'] };
      await client.callTool({ name: 'inferenceDesk_rerank', arguments: ranked });
    } finally {
      await client.close();
    }
    // What it took counts with all the rest of the profile's day, and with what the editor's tools took.
    ok((await usage.today('work')).inputTokens > before.inputTokens);
    ok((await usage.today('work', 'tools')).inputTokens > toolsBefore.inputTokens);
    equal(env['INFERENCE_DESK_TOOL_TOKENS'], '5000000');
  });

  it('does not start without a key, and says so', async () => {
    const definition = await offered();
    await services.profiles.signOut('work');
    await rejects(offer.resolve(definition), /key|[Ss]ign/);
    deepEqual('INFERENCE_DESK_API_KEY' in definition.env, false);
  });

  it('changes with the key, account, or URL, so that a running server is restarted', async () => {
    const { profiles } = services;
    const first = await offered();
    await offer.resolve(first);
    deepEqual(launch(await offered()), launch(first));
    await profiles.storeKey('work', 'sk-another-key-1234');
    const second = await offered();
    notDeepEqual(launch(second), launch(first));
    await rejects(offer.resolve(first), /account has changed/);
    equal((await offer.resolve(second)).env['INFERENCE_DESK_API_KEY'], 'sk-another-key-1234');

    await profiles.save({ id: 'other', name: 'Other', baseUrl: demo.baseUrl });
    await profiles.storeKey('other', demo.apiKey);
    await profiles.setActive('other');
    await rejects(offer.resolve(second), /account has changed/);
    notDeepEqual(launch(await offered()), launch(second));

    const third = await offered();
    await profiles.save({ id: 'other', name: 'Other', baseUrl: 'http://127.0.0.1:9/v1' });
    deepEqual(await offer.provide(), []);
    await profiles.storeKey('other', demo.apiKey);
    notDeepEqual(launch(await offered()), launch(third));
  });

  it('omits what the settings exclude', async () => {
    const first = await offered();
    await services.settings.set('secretFiles', { '**/plans/**': true, '**/.env': false });
    try {
      const second = await offered();
      equal(second.env['INFERENCE_DESK_SECRET_FILES'], '["**/plans/**"]');
      notDeepEqual(launch(second), launch(first));
    } finally {
      await services.settings.set('secretFiles', {});
    }
  });

  it('stays registered when its start moves the service to another URL', async () => {
    const { connections, profiles } = services;
    const definition = await offered();
    const moved = `${demo.baseUrl}/`.replace('127.0.0.1', 'localhost');
    const moving = connections.onBeforeUse(async () => {
      await profiles.save({ id: 'work', name: 'Work', baseUrl: moved });
      await profiles.storeKey('work', demo.apiKey);
    });
    const { env } = await offer.resolve(definition);
    moving.dispose();
    equal(`${String(env['INFERENCE_DESK_BASE_URL'])}/`, moved);
    deepEqual(launch(await offered()), launch(definition));
  });

  it('provides its tools to VS Code', async () => {
    // The editor knows of it a while after it was told.
    const tool = await until(
      async () => {
        const requested = { waitForLiveTools: true, autoTrustChanges: true };
        await vscode.commands.executeCommand('workbench.mcp.startServer', serverId, requested);
        return vscode.lm.tools.find(({ name }) => /^mcp_.*inferenceDesk_rerank/.test(name));
      },
      'the tool',
      120_000,
    );
    match(tool.description, /^Sorts texts/);
    // The chat has each tool once, as the editor's agents do.
    const chatTools = createEditorTools(services);
    const isRerank = ({ name }: { readonly name: string }) => name.endsWith('inferenceDesk_rerank');
    const names = chatTools
      .list()
      .filter(isRerank)
      .map(({ name }) => name);
    // While the server is on, VS Code 1.106 lists only its copies.
    deepEqual(names, [vscode.version.startsWith('1.106.') ? tool.name : 'inferenceDesk_rerank']);
    chatTools.dispose();

    // VS Code 1.106 goes on listing the tools of a server that is not offered any more.
    if (vscode.version.startsWith('1.106.')) return;
    // Whoever signs out has no server any more that goes on with their key.
    await services.profiles.signOut('work');
    const isGone = () => !vscode.lm.tools.some(({ name }) => name === tool.name);
    await until(async () => (isGone() ? true : undefined), 'the end of the server', 60_000);
  });
});
