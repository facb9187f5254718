import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createEditorModels } from '../../src/features/languageModel/editorModels';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const profile = 'editor';
const echo: vscode.LanguageModelChatTool = { name: 'desk_echo', description: 'Gives back a text.', inputSchema: {} };
const picture = new Uint8Array([1, 2, 3]);

interface Sent {
  readonly max_tokens: number;
  readonly top_k?: number;
  readonly tools?: readonly unknown[];
  readonly messages: unknown;
}

describe("the account's models when VS Code Chat sends requests", function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: { firstTokenMs: 1, tokenMs: 0 } });
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    await rm(join(services.context.globalStorageUri.fsPath, 'languageModel'), { recursive: true, force: true });
    await staySignedIn(services, profile, demo);
  });
  afterEach(() => ensureSettings(services.settings, { 'models.capabilities': {} }));
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /messages', times: 1 });
  const requests = async () => {
    type Request = { readonly path: string; readonly status: number; readonly body: Sent };
    const { requests: seen } = (await demo.call('GET', '/_control/requests')) as { readonly requests: Request[] };
    return seen.filter(({ path }) => path.endsWith('/messages'));
  };
  const withEditor = async <T>(
    work: (editor: ReturnType<typeof createEditorModels>) => Promise<T>,
    provided = services,
  ): Promise<T> => {
    const editor = createEditorModels(provided, () => {});
    try {
      return await work(editor);
    } finally {
      editor.dispose();
    }
  };
  /** Resolves to what was wrong, if anything was. */
  const ask = (
    {
      parts = [],
      ...options
    }: Partial<vscode.ProvideLanguageModelChatResponseOptions> & {
      readonly parts?: vscode.LanguageModelDataPart[];
    } = {},
    provided = services,
  ): Promise<Error | undefined> => {
    const talk = [vscode.LanguageModelChatMessage.User([new vscode.LanguageModelTextPart('Hello'), ...parts])];
    const { token } = new vscode.CancellationTokenSource();
    const asked = { toolMode: vscode.LanguageModelChatToolMode.Auto, ...options };
    return withEditor(
      (editor) =>
        editor.respond({ id: model }, talk, asked, { report: () => {} }, token).then(
          () => undefined,
          (error: Error) => error,
        ),
      provided,
    );
  };

  it("reduce the response limit up to half if the text doesn't fit next to it", async () => {
    await arm('context-overflow-5');
    equal(await ask(), undefined);
    await arm('context-overflow-5');
    equal(await ask(), undefined);
    await services.settings.set('models.capabilities', { [model]: { contextTokens: 200_000 } });
    await arm('context-overflow-5');
    equal(await ask(), undefined);
    const sent = await requests();
    deepEqual(
      sent.map(({ status }) => status),
      [400, 200, 400, 200, 400, 200],
    );
    for (const at of [0, 2, 4]) equal(sent[at + 1]!.body.max_tokens, Math.ceil(sent[at]!.body.max_tokens / 2));
  });

  it('report a response limit that is too high, not a text that is too long', async () => {
    await arm('context-overflow-5');
    await arm('short-answers');
    const { message = '' } = (await ask()) ?? {};
    match(message, /limits responses to 1,000 tokens/);
    ok(!/too long|remembered/.test(message), message);
  });

  it('are stored for the account of the request, also after switching accounts', async () => {
    const { connections, profiles } = services;
    await profiles.save({ id: 'other', name: 'Other', baseUrl: demo.baseUrl });
    const client: typeof connections.client = async (id) => {
      const found = await connections.client(id);
      await profiles.setActive('other');
      return found;
    };
    const between = { ...services, connections: { ...connections, client } } as Services;
    await arm('no-tools');
    match(String(await ask({ tools: [echo] }, between)), /doesn't support tools/);
    await withEditor(async ({ capabilities }) => {
      equal((await capabilities.of({ profile, model })).learned.tools, false);
      deepEqual((await capabilities.of({ profile: 'other', model })).learned, {});
    });
  });

  it('accept tools that are turned off in Inference Desk Chat', async () => {
    const file = join(services.context.globalStorageUri.fsPath, 'chat-parameters.json');
    const refused = [{ profile, model, parameters: ['tools', 'top_k'] }];
    await writeFile(file, JSON.stringify({ presets: [], refused }));
    try {
      const known = await withEditor(({ capabilities }) => capabilities.of({ profile, model }));
      deepEqual([known.capabilities.tools, known.learned], [true, {}]);
      equal(await ask({ tools: [echo], modelOptions: { top_k: 3 } }), undefined);
      const { tools, top_k } = (await requests()).at(-1)!.body;
      deepEqual([tools?.length, top_k], [1, undefined]);
    } finally {
      await rm(file, { force: true });
    }
  });

  it('receive images in supported formats; other attachments are named', async () => {
    await services.settings.set('models.capabilities', { [model]: { images: true } });
    const types = ['image/png', 'image/jpg', 'image/bmp'];
    equal(await ask({ parts: types.map((type) => new vscode.LanguageModelDataPart(picture, type)) }), undefined);
    const reported = JSON.stringify((await requests()).at(-1)?.body.messages);
    deepEqual(reported.match(/"media_type":"[^"]*"/g), ['"media_type":"image/png"', '"media_type":"image/jpeg"']);
    match(reported, /\[image\/bmp, 3 bytes: cannot be shown as text\]/);
  });

  it('have the limits from the list of their own account only', async () => {
    const { state } = services.models;
    const listed = { id: 'somebody/of-the-list', contextLength: 12_345, types: [], subTypes: [] };
    const models = { ...services.models, state: { ...state, profileId: profile, models: [listed] } };
    await withEditor(
      async ({ capabilities }) => {
        const limitOf = async (of: string) =>
          (await capabilities.of({ profile: of, model: listed.id })).capabilities.contextTokens;
        deepEqual([await limitOf(profile), await limitOf('another')], [12_345, 32_768]);
      },
      { ...services, models },
    );
  });
});
