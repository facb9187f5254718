import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { dropTarget } from '../../src/features/files/files';
import { uploadFiles, type UploadQuestions, Uploader } from '../../src/features/files/uploads';
import { RemoteContents } from '../../src/services/lists/remoteContents';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';

const request = (id: string) => requestLine(id, `Hello from ${id}`, { model: 'deepseek-ai/DeepSeek-V3' });

describe('files of the account', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  let asked: string[];

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    folder = mkdtempSync(path.join(tmpdir(), 'uploads-'));
    await signInAnew(services, 'files', demo);
  });
  beforeEach(async () => {
    asked = [];
    await demo.call('POST', '/_control/reset', {});
    await services.connections.forgetOffers('files');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const answers = (provided: Partial<Record<keyof UploadQuestions, string | (() => string)>>): UploadQuestions => {
    const answer = (question: keyof UploadQuestions) => async (): Promise<never> => {
      asked.push(question);
      const said = provided[question];
      return (typeof said === 'function' ? said() : said) as never;
    };
    return {
      upload: answer('upload'),
      unsaved: answer('unsaved'),
      reuse: async (_file, known, sameContent) => {
        asked.push(`${known.id} ${sameContent ? 'for certain' : 'perhaps'}`);
        return answer('reuse')();
      },
    };
  };
  const listed = async () => (await services.connections.client()).files.list({ limit: 1000 });
  const posts = async () => (await uploads()).length;
  const uploads = async () =>
    (await demo.requests()).filter(({ method, path: asking }) => method === 'POST' && asking.endsWith('/files'));
  const one = (file: string, provided: Parameters<typeof answers>[0] = {}, signal = new AbortController().signal) => {
    const profile = services.profiles.active!;
    return new Uploader(services, profile, answers(provided)).upload(file, signal, () => undefined);
  };
  const refusedFor = (words: RegExp) => (error: unknown) => isUserError(error) && words.test(error.detail);

  it('are uploaded without a question if they have no errors', async () => {
    const file = write('订单 ‏טופס.jsonl', `${request('a')}\n${request('b')}\n`);
    const { uploaded } = await uploadFiles([file], services, answers({}));
    deepEqual([asked, uploaded.map(({ requests }) => requests)], [[], [2]]);
    equal((await listed())[0]?.filename, path.basename(file));
  });

  it('are sent with errors only on request', async () => {
    const file = write('bad.jsonl', `${request('a')}\n${request('a')}\n{"custom_id":\n`);
    equal((await one(file)).kind, 'left');
    const report = await one(file, { upload: 'report' });
    ok(report.kind === 'report' && readFileSync(report.report, 'utf8').includes('custom-id.duplicate'));
    equal(await posts(), 0);
    equal((await one(file, { upload: 'upload' })).kind, 'uploaded');
    deepEqual([asked, await posts()], [['upload', 'upload', 'upload'], 1]);
  });

  it('are offered for reuse if their content already exists under any name', async () => {
    const text = `${request('same')}\n`;
    const first = await one(write('first.jsonl', text));
    ok(first.kind === 'uploaded');
    const second = write('second.jsonl', text);
    const reused = await one(second, { reuse: 'reuse' });
    deepEqual([reused.kind, asked[0]], ['reused', `${first.file.id} for certain`]);
    equal((await one(second)).kind, 'left');
    equal(await posts(), 1);
    equal((await one(second, { reuse: 'upload' })).kind, 'uploaded');
    equal(await posts(), 2);
  });

  it('ask before a similar file is uploaded again', async () => {
    const before = (await one(write('alike.jsonl', `${request('x')}\n`))) as { readonly file: { readonly id: string } };
    const other = write('alike.jsonl', `${request('y')}\n`);
    equal((await one(other, { reuse: 'upload' })).kind, 'uploaded');
    equal(asked[0], `${before.file.id} perhaps`);
  });

  it("explain why they can't be uploaded if they are empty, folders, or missing", async () => {
    mkdirSync(path.join(folder, 'inside.jsonl'), { recursive: true });
    await rejects(one(write('empty.jsonl', '')), refusedFor(/The file is empty/));
    await rejects(one(path.join(folder, 'inside.jsonl')), refusedFor(/This is a folder/));
    await rejects(one(path.join(folder, 'gone.jsonl')), refusedFor(/"gone\.jsonl" wasn't found/));
    equal(await posts(), 0);
  });

  it("aren't uploaded if they changed after the check", async () => {
    const file = write('changing.jsonl', `${request('a')}\n${request('a')}\n`);
    const change = () => {
      appendFileSync(file, `${request('b')}\n`);
      return 'upload';
    };
    await rejects(one(file, { upload: change }), refusedFor(/changed during the upload/));
    equal(await posts(), 0);
  });

  it('ask about unsaved changes', async () => {
    const file = write('edited.jsonl', `${request('edited')}\n`);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await editor.edit((change) => change.insert(new vscode.Position(1, 0), `${request('added')}\n`));
    equal((await one(file)).kind, 'left');
    const saved = await one(file, { unsaved: 'save' });
    ok(saved.kind === 'uploaded' && saved.requests === 2);
  });

  it('cancel their upload on request', async () => {
    const file = write('cancelled.jsonl', `${request('never sent')}\n`);
    const before = (await listed()).length;
    await demo.call('POST', '/_control/arm', { fault: 'never-answers', endpoint: 'POST /files' });
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const onStep = (step: string, done: number, total: number) => {
      if (step === 'uploading' && done === total) cancelling.abort();
    };
    const profile = services.profiles.active!;
    await rejects(new Uploader(services, profile, answers({})).upload(file, signal, onStep));
    equal((await listed()).length, before);
  });

  it("are found in the list after a lost upload response, and aren't uploaded twice", async () => {
    const file = write('lost.jsonl', `${request('lost')}\n`);
    await demo.call('POST', '/_control/arm', { fault: 'cut-body', endpoint: 'POST /files' });
    const outcome = await one(file);
    ok(outcome.kind === 'uploaded');
    // The service notes a request when it is over: one that was cancelled before may come as late as now.
    const sent = (await uploads()).filter(({ files }) => files.some(({ filename }) => filename === 'lost.jsonl'));
    deepEqual([(await listed()).filter(({ filename }) => filename === 'lost.jsonl').length, sent.length], [1, 1]);
  });

  it('continue uploading when one of them fails', async () => {
    const good = write('good.jsonl', `${request('good')}\n`);
    const { uploaded } = await uploadFiles([path.join(folder, 'none.jsonl'), good], services, answers({}));
    deepEqual(
      uploaded.map(({ path: file }) => file),
      [good],
    );
  });

  it('can be dropped from the Explorer and the system if they are on disk', async () => {
    const dropped: (readonly string[])[] = [];
    const reported: unknown[] = [];
    const report = async (error: unknown) => void reported.push(error);
    const target = dropTarget({ ...services, report }, async (paths) => void dropped.push(paths));
    const drop = async (items: Readonly<Record<string, string>>) => {
      const data = new vscode.DataTransfer();
      for (const [type, text] of Object.entries(items)) data.set(type, new vscode.DataTransferItem(text));
      await target.handleDrop(undefined, data);
    };
    const [a, b] = [vscode.Uri.file(path.join(folder, 'a b.jsonl')), vscode.Uri.file(path.join(folder, '订单.jsonl'))];
    await drop({ 'text/uri-list': `# two\r\n${a.toString()}\r\n${b.toString()}\r\n${a.toString()}` });
    deepEqual(dropped, [[a.fsPath, b.fsPath]]);
    await drop({ 'text/uri-list': 'https://example.com/x.jsonl' });
    await drop({ 'text/plain': 'hello' });
    await drop({ 'text/uri-list': 'orders.jsonl' });
    equal(dropped.length, 1);
    deepEqual(
      reported.map((error) => isUserError(error) && error.title),
      ["This file isn't on disk", "Couldn't upload the file", "Couldn't upload the file"],
    );
  });

  it('show their content in a read-only editor, and save it to the selected location', async () => {
    const text = `${request('content')}\n`;
    const outcome = await one(write('content.jsonl', text));
    ok(outcome.kind === 'uploaded');
    await vscode.commands.executeCommand('inferenceDesk.files.refresh');
    await vscode.commands.executeCommand('inferenceDesk.files.openContent', outcome.file.id);
    const { document } = vscode.window.activeTextEditor!;
    deepEqual([document.getText(), document.uri.scheme, document.languageId], [text, 'inference-desk-file', 'jsonl']);
    const target = vscode.Uri.file(path.join(folder, 'saved.jsonl'));
    const proposed: string[] = [];
    const contents = new RemoteContents(
      services.context,
      services.connections,
      async (uri) => (proposed.push(path.basename(uri.fsPath)), target),
    );
    await contents.saveAs({ file: outcome.file.id, name: '../content.jsonl' });
    deepEqual([readFileSync(target.fsPath, 'utf8'), proposed], [text, ['_content.jsonl']]);
  });

  it("explain once that the service doesn't return their content", async () => {
    const sent = await one(write('unreadable.jsonl', `${request('unreadable')}\n`));
    ok(sent.kind === 'uploaded');
    const contents = new RemoteContents(services.context, services.connections);
    await demo.call('POST', '/_control/arm', { fault: 'path-missing', endpoint: 'GET /files/{id}/content' });
    const open = () => contents.open({ file: sent.file.id, name: 'x.jsonl', bytes: 3 });
    await rejects(open(), refusedFor(/its content can't be downloaded/));
    await rejects(open(), refusedFor(/its content can't be downloaded/));
    const requests = await demo.requests();
    equal(requests.filter(({ path: asking }) => asking.endsWith('/content')).length, 1);
    match(vscode.window.activeTextEditor?.document.uri.scheme ?? 'none', /none/);
  });
});
