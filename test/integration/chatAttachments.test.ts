import { deepEqual, equal, fail, match, ok, rejects, throws } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createAttachments } from '../../src/features/chat/attachments/attachments';
import type { Attachments } from '../../src/features/chat/attachments/attachments';
import { readProblems } from '../../src/features/chat/attachments/readAttachment';
import type { DroppedFile } from '../../src/protocol/chatOffers';
import { createVirtualDocuments } from '../../src/platform/virtualDocuments';
import type { VirtualDocuments } from '../../src/platform/virtualDocuments';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import type { LastEditor } from '../../src/platform/workspace/lastEditor';
import { showOne } from '../support/heldDraft';
import { deskServices } from '../support/deskServices';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
/** The head of an image of this size. */
function sized(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

describe('attachments from VS Code', function () {
  this.timeout(120_000);
  let folder: string;
  let lastEditor: LastEditor;
  let documents: VirtualDocuments;
  let attachments: Attachments;
  /** Whether a page is there to scale images, and those it was told to scale. */
  let scales: boolean;
  let scaled: { name: string; bytes: Buffer }[];

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    scales = false;
    scaled = [];
    folder = await mkdtemp(join(tmpdir(), 'attach-'));
    lastEditor = createLastEditor();
    documents = createVirtualDocuments('inference-desk-attachment');
    attachments = createAttachments({
      shown: showOne(),
      lastEditor,
      documents,
      scaleImage: (name, bytes) => {
        if (scales) scaled.push({ name, bytes: Buffer.from(bytes) });
        return scales;
      },
      settings: (await deskServices()).settings,
      changed: () => undefined,
      onError: (error) => fail(String(error)),
    });
  });
  afterEach(async () => {
    lastEditor.dispose();
    documents.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
    return vscode.Uri.file(join(folder, name));
  };

  it('show the selection with its lines, and open exactly what is sent', async () => {
    const editor = await vscode.window.showTextDocument(await file('parse.ts', 'one\ntwo\nthree\nfour\n'));
    await rejects(attachments.add({ from: 'selection' }), { name: 'UserError' });
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    await attachments.add({ from: 'selection' });
    editor.selection = new vscode.Selection(3, 0, 3, 4);
    await attachments.add({ from: 'selection' });
    const [chip, ofOneLine] = attachments.tray.chips;
    match(chip?.label ?? '', /parse\.ts:2-3$/);
    match(ofOneLine?.label ?? '', /parse\.ts:4$/);
    equal(chip?.characters, 10);
    await attachments.show(attachments.tray.get(chip.id));
    const shown = vscode.window.activeTextEditor;
    equal(shown?.document.getText(), `${chip.label}\n\`\`\`typescript\ntwo\nthree\n\`\`\``);
  });

  it('include unsaved edits of a file, or its content on disk', async () => {
    const uri = await file('notes.md', 'on disk\n');
    await attachments.add({ from: 'uris', uris: [uri] });
    equal(attachments.tray.attachments[0]?.text, 'on disk\n');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'not '));
    await attachments.add({ from: 'openFile' });
    equal(attachments.tray.attachments.length, 1);
    equal(attachments.tray.attachments[0]?.text, 'not on disk\n');
  });

  it('explain files that are binary, too long, empty, or folders, and attach the others', async () => {
    const picture = await file('picture.png', new Uint8Array([0x89, 0x50, 0, 1]));
    await rejects(attachments.add({ from: 'uris', uris: [picture] }), /Couldn't attach .*picture\.png: .*damaged/);
    const long = await file('long.txt', 'x'.repeat(400_001));
    await rejects(attachments.add({ from: 'uris', uris: [long] }), /More than 400,000 characters/);
    await rejects(attachments.add({ from: 'uris', uris: [await file('empty.txt', '\n')] }), /The text is empty/);
    await rejects(attachments.add({ from: 'openFile' }), /No file is open/);
    await rejects(attachments.add({ from: 'uris', uris: [picture, await file('good.txt', 'good')] }), {
      name: 'UserError',
    });
    equal(attachments.tray.chips.length, 1);
  });

  it('show images from any location, and let the page scale down large ones', async () => {
    const [uri, large] = [await file('dot.png', png), await file('large.png', sized(9000, 10))];
    await attachments.add({ from: 'uris', uris: [uri] });
    await attachments.drop({
      uris: [uri.toString()],
      files: [{ name: 'Pasted image', image: png.toString('base64') }],
    });
    const [chip, pasted, ...others] = attachments.tray.chips;
    deepEqual([chip?.kind, chip?.size, chip?.tokens, others], ['image', { width: 1, height: 1 }, 4, []]);
    equal(pasted?.label, 'Pasted image');
    equal(attachments.tray.attachments[0]?.image?.base64, png.toString('base64'));
    await rejects(attachments.add({ from: 'uris', uris: [large] }), /limit is 3\.9 MB and 8,000 pixels/);
    scales = true;
    await attachments.add({ from: 'uris', uris: [large] });
    deepEqual(scaled, [{ name: large.fsPath, bytes: sized(9000, 10) }]);
    equal(attachments.tray.chips.length, 2);
    const drop = (dropped: DroppedFile) => attachments.drop({ uris: [], files: [dropped] });
    await rejects(drop({ name: 'x.png', image: 'AAAA' }), /damaged or has an unsupported format/);
    await rejects(drop({ name: 'x.png', problem: 'imageTooLarge' }), /Scale down the image/);
  });

  it('list the problems in a file, one per line', async () => {
    const uri = await file('broken.txt', 'a\nb\n');
    const document = await vscode.workspace.openTextDocument(uri);
    throws(() => readProblems(document), /No problems/);
    const problems = vscode.languages.createDiagnosticCollection('test');
    const problem = new vscode.Diagnostic(new vscode.Range(1, 0, 1, 1), 'b is wrong');
    problem.source = 'lint';
    problems.set(uri, [problem]);
    equal(readProblems(document).text, '2:1 error: lint: b is wrong');
    problems.dispose();
  });

  it('include several files from the Explorer menu', async () => {
    const [one, two] = [await file('one.txt', 'one'), await file('two.txt', 'two')];
    await vscode.commands.executeCommand('inferenceDesk.chat.attachFile', one, [one, two]);
    const all = await vscode.commands.getCommands();
    ok(all.includes('inferenceDesk.chat.attachSelection') && all.includes('inferenceDesk.chat.attach'));
  });
});
