import { deepEqual, equal, fail, match, ok, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { createAttachments } from '../../src/features/chat/attachments/attachments';
import type { Attachments } from '../../src/features/chat/attachments/attachments';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import type { LastEditor } from '../../src/platform/workspace/lastEditor';
import type { DroppedFile } from '../../src/protocol/chatOffers';
import { createVirtualDocuments } from '../../src/platform/virtualDocuments';
import type { VirtualDocuments } from '../../src/platform/virtualDocuments';
import { until } from '../support/until';
import { showOne } from '../support/heldDraft';
import { deskServices } from '../support/deskServices';

describe('folders, terminals, dropped files, and # as attachments', function () {
  this.timeout(120_000);
  let folder: string;
  let lastEditor: LastEditor;
  let documents: VirtualDocuments;
  let attachments: Attachments;

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder = await mkdtemp(join(tmpdir(), 'attach-'));
    lastEditor = createLastEditor();
    documents = createVirtualDocuments('inference-desk-attachment');
    attachments = createAttachments({
      shown: showOne(),
      lastEditor,
      documents,
      scaleImage: () => false,
      settings: (await deskServices()).settings,
      changed: () => undefined,
      onError: (error) => fail(String(error)),
    });
  });
  afterEach(async () => {
    lastEditor.dispose();
    documents.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const put = async (files: Readonly<Record<string, string>>, into = folder) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(into, name)), { recursive: true });
      await writeFile(join(into, name), content);
    }
  };
  const addUri = (path: string) => attachments.add({ from: 'uris', uris: [vscode.Uri.file(path)] });
  const texts = () => attachments.tray.attachments.map(({ kind, text }) => [kind, text]);

  it('list the files of a folder except hidden and ignored ones', async () => {
    await put({
      'b.ts': 'b',
      'a/z.ts': 'z',
      'a/debug.log': 'log',
      'a/keep.log': 'log',
      'a/.gitignore': '!keep.log',
      '.gitignore': '*.log\nout/',
      'out/main.js': 'o',
      '.git/HEAD': 'ref',
      'node_modules/x/index.js': 'x',
    });
    await addUri(folder);
    deepEqual(texts(), [['folder', '5 files:\n.gitignore\na/.gitignore\na/keep.log\na/z.ts\nb.ts']]);
    const [chip] = attachments.tray.chips;
    match(chip?.label ?? '', /attach-\w+\/$/);
    await attachments.show(attachments.tray.get(chip?.id ?? ''));
    match(vscode.window.activeTextEditor?.document.getText() ?? '', /```\n5 files:\n.*b\.ts\n```$/s);
  });

  it('list a limited number of files of a large folder, and count the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`deep/f${index}.txt`, '']));
    await put({ ...many, 'top.txt': '' });
    await addUri(folder);
    const lines = attachments.tray.attachments[0]?.text.split('\n') ?? [];
    deepEqual([lines[0], lines.length], ['2,000 of 2,002 files, without the most deeply nested ones:', 2001]);
    equal(lines.includes('top.txt'), true);
  });

  it("explain that an empty folder can't be attached", async () => {
    await rejects(addUri(folder), /Couldn't attach .*: The folder is empty, or all its files are excluded or ignored/);
  });

  it('read the terminal selection without changing the clipboard', async () => {
    await rejects(attachments.add({ from: 'terminal' }), /No terminal/);
    await showTerminal('first line\r\nsecond line   ');
    await vscode.env.clipboard.writeText('what I had copied');
    await rejects(attachments.add({ from: 'terminal' }), /No selection in the terminal/);
    equal(await vscode.env.clipboard.readText(), 'what I had copied');
    await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
    await attachments.add({ from: 'terminal' });
    equal(attachments.tray.chips[0]?.label, 'Terminal probe');
    deepEqual(texts(), [['terminal', 'first line\nsecond line']]);
    equal(await vscode.env.clipboard.readText(), 'what I had copied');
  });

  it('attach the last command of the active terminal with its output if the shell reports commands', async () => {
    const offered = async () =>
      (await attachments.offers.search('last terminal', new AbortController().signal)).find(
        ({ kind }) => kind === 'terminal',
      );
    await showTerminal('no shell');
    equal(await offered(), undefined);
    const terminal = vscode.window.createTerminal({ name: 'shell', shellPath: '/bin/bash' });
    terminal.show();
    const shell = await until(() => terminal.shellIntegration, 'the shell');
    const ended = new Promise<void>((resolve) => {
      const listening = vscode.window.onDidEndTerminalShellExecution(() => {
        listening.dispose();
        resolve();
      });
    });
    shell.executeCommand("printf '\\033[31mred\\033[0m\\n 1%%\\r100%%\\n'");
    await ended;
    await vscode.env.clipboard.writeText('what I had copied');
    const { id = '' } = (await offered()) ?? {};
    await attachments.add(attachments.offers.requested(id));
    equal(attachments.tray.chips[0]?.label, 'Last command in shell');
    match(texts()[0]?.[1] ?? '', /^printf .*\nred\n100%$/s);
    equal(await vscode.env.clipboard.readText(), 'what I had copied');
    terminal.dispose();
  });

  it('check dropped items before any content is read', async () => {
    await put({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    const uris = [join(folder, 'a.txt'), join(folder, 'sub')].map((path) => vscode.Uri.file(path).toString());
    await rejects(attachments.drop({ uris: [...uris, 'https://example.com/x'], files: [] }), /isn't a file/);
    await rejects(attachments.drop({ uris: ['untitled:x', 'no address'], files: [] }), /isn't a file/);
    deepEqual(texts(), []);
    await attachments.drop({ uris, files: [] });
    await attachments.drop({ uris: [], files: [{ name: 'outside.txt', text: 'from outside' }] });
    deepEqual(texts(), [
      ['file', 'a\n'],
      ['folder', '1 file:\nb.txt'],
      ['file', 'from outside'],
    ]);
    const dropFile = (file: DroppedFile) => attachments.drop({ uris: [], files: [file] });
    await rejects(dropFile({ name: 'x', problem: 'folder' }), /Couldn't attach x: .*folder from outside/);
    await rejects(dropFile({ name: 'x', problem: 'tooLong' }), /More than 400,000/);
    await rejects(dropFile({ name: 'x', text: 'a\0b' }), /isn't UTF-8/);
    await rejects(dropFile({ name: 'x', base64: 'iVAAAQ==' }), /isn't UTF-8/);
  });

  it('offer open and matching files, and attach only offered ones', async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const root = join(workspace?.uri.fsPath ?? '', 'offered');
    await put(
      { 'Parser.ts': 'class Parser {}\n', 'parsers/deep.ts': 'x', '.gitignore': '*.log', 'parse.log': 'x' },
      root,
    );
    const search = (query: string, signal = new AbortController().signal) => attachments.offers.search(query, signal);
    await vscode.window.showTextDocument(vscode.Uri.file(join(root, 'Parser.ts')));
    const names = (await search('')).map(({ kind, name, detail }) => `${kind} ${name} ${detail}`);
    deepEqual(names.slice(0, 1), ['openFile Parser.ts offered']);
    const found = await search('PARSE');
    deepEqual(
      found.map(({ kind, name, detail }) => `${kind} ${detail}/${name}`),
      [
        'file offered/Parser.ts',
        'file offered/parsers/deep.ts',
        'folder offered/parsers',
        'symbol offered/Parser.ts:1/Parser',
      ].slice(0, found.length),
    );
    await attachments.add(attachments.offers.requested(found[0]?.id ?? ''));
    deepEqual(texts(), [['file', 'class Parser {}\n']]);
    const ended = AbortSignal.abort();
    await rejects(search('parse', ended), { name: 'AbortError' });
    await rejects(async () => attachments.offers.requested('made-up'), /no longer available/);
    await rm(root, { recursive: true });
  });

  it('offer no links out of the workspace and no files with keys, but accept files the user picks', async () => {
    const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'linking');
    await put({ passwd: 'far away' });
    await put({ '.env': 'KEY=1', 'linked-plain.txt': 'mine' }, root);
    const links = {
      'linked-out.txt': join(folder, 'passwd'),
      'linked-key.txt': join(root, '.env'),
      'linked-folder': folder,
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
    const signal = new AbortController().signal;
    const named = async (query: string) => (await attachments.offers.search(query, signal)).map(({ name }) => name);
    try {
      deepEqual(await named('linked-'), ['linked-plain.txt']);
      deepEqual(await named('passwd'), []);
      await vscode.window.showTextDocument(vscode.Uri.file(join(root, '.env')), { preview: false });
      await vscode.window.showTextDocument(vscode.Uri.file(join(root, 'linked-plain.txt')), { preview: false });
      ok(!(await named('')).includes('.env'));
      // It comes to be a link after it was offered.
      const [offered] = await attachments.offers.search('linked-plain', signal);
      await rm(join(root, 'linked-plain.txt'));
      await symlink(join(folder, 'passwd'), join(root, 'linked-plain.txt'));
      await rejects(attachments.add(attachments.offers.requested(offered!.id)), /link points outside the workspace/);
      deepEqual(texts(), []);
      await addUri(join(root, 'linked-out.txt'));
      deepEqual(texts(), [['file', 'far away']]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

/** A terminal of our own making that shows a text. */
async function showTerminal(text: string): Promise<void> {
  const written = new vscode.EventEmitter<string>();
  const opened = new Promise<void>((resolve) => {
    const pty: vscode.Pseudoterminal = {
      onDidWrite: written.event,
      open: () => {
        written.fire(text);
        resolve();
      },
      close: () => written.dispose(),
    };
    vscode.window.createTerminal({ name: 'probe', pty }).show();
  });
  await opened;
}
