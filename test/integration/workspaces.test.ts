import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createSecretCheck } from '../../src/core/workspace/secretFiles';
import { createAttachments } from '../../src/features/chat/attachments/attachments';
import { providedImage } from '../../src/services/images/providedImage';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import { mediaFolder, ownMediaFolder } from '../../src/services/media/mediaFolder';
import { isUserError } from '../../src/platform/errors/userError';
import { createVirtualDocuments } from '../../src/platform/virtualDocuments';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { showOne } from '../support/heldDraft';
import { createMemoryFiles } from '../support/memoryFiles';
import { until } from '../support/until';

const apiKey = 'sk-0123456789-of-the-workspace-test';
const badLine = '{"custom_id":"a","method":"POST","url":"/v1/chat/completions"';
const goodLine = `${JSON.stringify({
  custom_id: 'a',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'vendor/one', messages: [{ role: 'user', content: 'Hello' }] },
})}\n`;

/** What the editor says of the workspace, for as long as the test of it lasts. */
function pretend<Name extends 'isTrusted' | 'workspaceFolders'>(name: Name, value: (typeof vscode.workspace)[Name]) {
  const own = Object.getOwnPropertyDescriptor(vscode.workspace, name);
  ok(own?.configurable);
  Object.defineProperty(vscode.workspace, name, { configurable: true, enumerable: true, get: () => value });
  return () => void Object.defineProperty(vscode.workspace, name, own);
}

describe('a workspace', () => {
  let services: Services;
  let service: AccountService;
  let folder: vscode.Uri;
  let giveBack: (() => void) | undefined;

  /** The words in which a command says that it does nothing. */
  const refusal = async (command: string, ...args: readonly unknown[]): Promise<string> => {
    const [before] = services.recentErrors.recent;
    let isOver = false;
    const running = (async () => {
      await vscode.commands.executeCommand(command, ...args);
      isOver = true;
    })();
    const error = await until(() => {
      const [now] = services.recentErrors.recent;
      return now === before ? undefined : now?.error;
    }, `the refusal of ${command}`);
    while (!isOver) await vscode.commands.executeCommand('notifications.clearAll');
    await running;
    ok(isUserError(error), `${command}: ${String(error)}`);
    return `${error.title}. ${error.detail}`;
  };
  const put = async (name: string, text: string): Promise<vscode.Uri> => {
    const uri = vscode.Uri.joinPath(folder, name);
    await writeFile(uri.fsPath, text);
    return uri;
  };
  const open = async (uri: vscode.Uri) => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    return editor;
  };

  before(async () => {
    services = await deskServices();
    service = await startAccountService(apiKey);
    await signInAnew(services, 'places', { baseUrl: service.baseUrl, apiKey });
    const [root] = vscode.workspace.workspaceFolders ?? [];
    ok(root);
    folder = vscode.Uri.joinPath(root.uri, 'workspaces-test');
    await mkdir(folder.fsPath, { recursive: true });
  });
  afterEach(async () => {
    giveBack?.();
    giveBack = undefined;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    await rm(folder.fsPath, { recursive: true, force: true });
    await beginAnew(services);
    await service.close();
  });

  it("can add secret file patterns, but can't remove the user's", async () => {
    const configuration = vscode.workspace.getConfiguration('inferenceDesk');
    const set = (value: unknown, target: vscode.ConfigurationTarget) =>
      configuration.update('secretFiles', value, target);
    const isSecret = (name: string) => createSecretCheck(services.settings.get('secretFiles'))(`/work/${name}`);
    const files = ['.env', 'mine.txt', 'theirs.txt', 'shown.pem', 'notes.md'];
    try {
      await set({ '**/mine.txt': true, '**/shown.pem': false }, vscode.ConfigurationTarget.Global);
      const loosened = { '**/*': false, '**/.env': false, '**/mine.txt': false };
      await set({ ...loosened, '**/theirs.txt': true }, vscode.ConfigurationTarget.Workspace);
      deepEqual(files.filter(isSecret), ['.env', 'mine.txt', 'theirs.txt']);
    } finally {
      await set(undefined, vscode.ConfigurationTarget.Workspace);
      await set(undefined, vscode.ConfigurationTarget.Global);
    }
  });

  describe("that isn't trusted", () => {
    const withheld: readonly (readonly [
      command: string,
      file: string,
      args?: (uri: vscode.Uri) => readonly unknown[],
    ])[] = [
      ['inferenceDesk.rerank.selection', 'notes.md'],
      ['inferenceDesk.rerank.files', 'notes.md', (uri) => [uri, [uri]]],
      ['inferenceDesk.complete.insert', 'notes.md'],
      ['inferenceDesk.complete.beside', 'notes.md'],
      ['inferenceDesk.findByMeaning', 'notes.md', () => ['what is it about']],
      ['inferenceDesk.files.upload', 'batch.jsonl', (uri) => [uri, [uri]]],
      ['inferenceDesk.batches.submit', 'batch.jsonl', (uri) => [uri, [uri]]],
      ['inferenceDesk.batchFile.tryLine', 'batch.jsonl', (uri) => [uri, 0]],
      ['inferenceDesk.batchFile.runLocally', 'batch.jsonl', (uri) => [uri]],
      ['inferenceDesk.prompts.run', 'notes.desk.md', (uri) => [uri]],
      ['inferenceDesk.prompts.compare', 'notes.desk.md', (uri) => [uri]],
      ['inferenceDesk.voices.transcribe', 'sound.mp3', (uri) => [uri]],
      ['inferenceDesk.voices.upload', 'sound.mp3', (uri) => [uri]],
    ];
    for (const [command, file, args = () => []] of withheld) {
      it(`sends none of its content by ${command}, and explains why`, async () => {
        const uri = await put(file, file === 'batch.jsonl' ? goodLine : 'One line of notes\nand another one\n');
        await open(uri);
        giveBack = pretend('isTrusted', false);
        const { length } = service.seen;
        match(await refusal(command, ...args(uri)), /Restricted Mode|Trust (?:it|the workspace|this workspace)/);
        const sent = service.seen.slice(length).map(({ request }) => request);
        deepEqual(
          sent.filter((request) => !request.startsWith('GET ')),
          [],
        );
      });
    }

    it("isn't attached to a question, and provides no images", async () => {
      const uri = await put('notes.md', 'secret plans');
      giveBack = pretend('isTrusted', false);
      const attachments = createAttachments({
        shown: showOne(),
        lastEditor: createLastEditor(),
        documents: createVirtualDocuments('inference-desk-attachment'),
        scaleImage: () => false,
        settings: services.settings,
        changed: () => undefined,
        onError: () => undefined,
      });
      const search = (query: string) => attachments.offers.search(query, new AbortController().signal);
      const [file] = (await search('notes.md')).filter(({ kind }) => kind === 'file');
      const [inside] = (await search('workspaces-test')).filter(({ kind }) => kind === 'folder');
      const ways = [
        () => attachments.add({ from: 'uris', uris: [uri] }),
        () => attachments.add(attachments.offers.requested(file?.id ?? '')),
        () => attachments.add(attachments.offers.requested(inside?.id ?? '')),
        () => attachments.drop({ uris: [uri.toString()], files: [] }),
        () => attachments.drop({ uris: [], files: [{ name: 'dropped.txt', text: 'text' }] }),
      ];
      for (const attach of ways)
        await rejects(
          attach,
          (error) => isUserError(error) && /Attachments are disabled in Restricted/.test(error.title),
        );
      deepEqual(attachments.tray.attachments, []);
      await providedImage(uri, 1000).then(
        () => ok(false),
        (error: unknown) =>
          ok(
            isUserError(error) &&
              /untrusted workspace|Trust (?:it|this workspace)/.test(`${error.title} ${error.detail}`),
          ),
      );
    });

    it("can't set the folder for generated files", () => {
      const chosen = { ...services.settings, get: () => 'images' } as unknown as Services['settings'];
      const inside = mediaFolder({ context: services.context, settings: chosen });
      match(inside, /images$/);
      giveBack = pretend('isTrusted', false);
      equal(mediaFolder({ context: services.context, settings: chosen }), ownMediaFolder(services.context));
    });

    it('still completes text outside of it, and checks its batch files', async () => {
      giveBack = pretend('isTrusted', false);
      // Its list tells of no model what it is for.
      await services.models.setDefault('completion', 'vendor/one');
      await open((await vscode.workspace.openTextDocument({ content: 'Once upon a time' })).uri);
      const { length } = service.seen;
      await Promise.race([
        vscode.commands.executeCommand('inferenceDesk.complete.insert'),
        until(() => service.seen.slice(length).find(({ request }) => /completions/.test(request)), 'the request'),
      ]);
      const uri = await put('bad.jsonl', badLine);
      await open(uri);
      await until(() => vscode.languages.getDiagnostics(uri).find(({ source }) => source !== undefined), 'a problem');
    });
  });

  describe("that isn't on disk", () => {
    const scheme = 'desk-memory';
    const at = (path: string) => vscode.Uri.from({ scheme, path });
    let files: vscode.Disposable;

    before(() => {
      const provider = createMemoryFiles({
        '/notes.md': 'Notes in memory',
        '/bad.jsonl': badLine,
        '/good.jsonl': goodLine,
        '/sound.mp3': 'ID3',
      });
      files = vscode.workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true });
    });
    after(() => files.dispose());

    it('has its batch files checked', async () => {
      await open(at('/bad.jsonl'));
      await until(() => vscode.languages.getDiagnostics(at('/bad.jsonl'))[0], 'a problem');
    });

    it('provides its text as attachments', async () => {
      const attachments = createAttachments({
        shown: showOne(),
        lastEditor: createLastEditor(),
        documents: createVirtualDocuments('inference-desk-attachment'),
        scaleImage: () => false,
        settings: services.settings,
        changed: () => undefined,
        onError: () => undefined,
      });
      await attachments.add({ from: 'uris', uris: [at('/notes.md')] });
      deepEqual(
        attachments.tray.attachments.map(({ text }) => text),
        ['Notes in memory'],
      );
    });

    const onDisk: readonly (readonly [command: string, path: string])[] = [
      ['inferenceDesk.files.upload', '/good.jsonl'],
      ['inferenceDesk.batches.submit', '/good.jsonl'],
      ['inferenceDesk.batchFile.runLocally', '/good.jsonl'],
      ['inferenceDesk.voices.transcribe', '/sound.mp3'],
      ['inferenceDesk.voices.upload', '/sound.mp3'],
    ];
    for (const [command, path] of onDisk) {
      it(`says that ${command} needs a file on disk`, async () => {
        match(await refusal(command, at(path), [at(path)]), /on disk|of this machine/);
      });
    }

    it("stores generated files in the extension's storage", () => {
      const chosen = { ...services.settings, get: () => 'images' } as unknown as Services['settings'];
      giveBack = pretend('workspaceFolders', [{ uri: at('/'), name: 'memory', index: 0 }]);
      equal(mediaFolder({ context: services.context, settings: chosen }), ownMediaFolder(services.context));
    });
  });
});
