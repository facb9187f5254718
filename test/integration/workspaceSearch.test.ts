import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { searchLimits, searchWorkspace } from '../../src/platform/workspace/workspaceSearch';
import { WorkspaceGuard } from '../../src/platform/workspace/workspaceGuard';
import { deskServices } from '../support/deskServices';
import type { WorkspaceQuery } from '../../src/platform/workspace/workspaceSearch';

describe('the workspace search', function () {
  this.timeout(120_000);
  let folder: string;
  let name: string;

  let guard: WorkspaceGuard;

  before(async () => {
    guard = await WorkspaceGuard.open((await deskServices()).settings);
  });
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    folder = await mkdtemp(join(root, 'search-'));
    name = basename(folder);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const put = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  };
  const search = (query: Partial<WorkspaceQuery>, limits = {}, options = {}) =>
    searchWorkspace(
      { text: 'needle', linesAround: 1, include: `${name}/**`, guard, ...query },
      { ...searchLimits, ...limits },
      options,
    );
  const pathsOf = async (query: Partial<WorkspaceQuery>) =>
    (await search(query)).matches.map(({ path }) => path.slice(name.length + 1));

  it('finds texts with surrounding lines, and skips ignored, hidden, binary, and large files', async () => {
    await put({
      'a/one.txt': 'before\na needle here\nafter\nfar away\n',
      'a/two.txt': 'NEEDLE',
      'out/made.txt': 'needle',
      '.gitignore': 'out/\n*.log',
      'note.log': 'needle',
      'node_modules/x/index.js': 'needle',
      '.git/HEAD': 'needle',
      'picture.bin': new Uint8Array([110, 0, 101]),
      'latin.txt': Buffer.from('needle \u00e9', 'latin1'),
      'large.txt': `needle ${'x'.repeat(2000)}`,
    });
    const progress: unknown[] = [];
    const { matches, files, leftOut, isCut } = await search(
      {},
      { fileBytes: 1500 },
      { onProgress: (now: unknown) => progress.push(now) },
    );
    deepEqual(
      matches.map(({ path, firstLine, text }) => [path, firstLine, text]),
      [
        [`${name}/a/one.txt`, 0, 'before\na needle here\nafter'],
        [`${name}/a/two.txt`, 0, 'NEEDLE'],
      ],
    );
    deepEqual(matches[0]?.ranges, [new vscode.Range(1, 2, 1, 8)]);
    deepEqual([files, isCut], [3, false]);
    deepEqual(leftOut, { overLimit: 0, tooLarge: 1, notText: 2, unreadable: 0 });
    deepEqual(progress.at(-1), { files: 3, of: 6, matches: 2 });
  });

  it('reads unsaved text in editors', async () => {
    await put({ 'open.txt': 'nothing\n' });
    const document = await vscode.workspace.openTextDocument(join(folder, 'open.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'needle\n'));
    deepEqual(await pathsOf({}), ['open.txt']);
    const untitled = await vscode.workspace.openTextDocument({ content: 'an untitledneedle' });
    const { matches } = await searchWorkspace({ text: 'untitledneedle', linesAround: 0, exclude: '*.ts', guard });
    deepEqual(
      matches.map(({ uri }) => uri.toString()),
      [untitled.uri.toString()],
    );
    await vscode.window.showTextDocument(untitled);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('treats file and folder names literally', async () => {
    await put({ 'src/a.ts': 'needle', 'src/b.md': 'needle', 'docs/c.md': 'needle', 'top.md': 'needle' });
    deepEqual(await pathsOf({ include: `${name}/src, ${name}/*.md` }), ['src/a.ts', 'src/b.md', 'top.md']);
    deepEqual(await pathsOf({ exclude: '*.md' }), ['src/a.ts']);
    deepEqual(await pathsOf({ exclude: 'src, top.md' }), ['docs/c.md']);
  });

  it('stops at its limits and reports that', async () => {
    await put({ 'a.txt': 'needle\n\n\nneedle\n\n\nneedle', 'b.txt': 'needle', 'c.txt': 'needle' });
    const cut = await search({}, { matches: 2 });
    deepEqual([cut.matches.length, cut.isCut], [2, true]);
    const { leftOut, files } = await search({}, { files: 2 });
    deepEqual([files, leftOut.overLimit], [2, 1]);
    const bytes = await search({}, { totalBytes: 30 });
    deepEqual([bytes.files, bytes.leftOut.overLimit], [2, 1]);
  });

  it('searches a file of 50,000 lines', async () => {
    const lines = Array.from({ length: 50_000 }, (_, line) => (line % 10_000 === 9_999 ? 'a needle' : `line ${line}`));
    await put({ 'long.txt': lines.join('\n') });
    const { matches } = await search({});
    deepEqual(
      matches.map(({ firstLine }) => firstLine),
      [9998, 19_998, 29_998, 39_998, 49_998],
    );
  });

  it('explains an invalid regular expression', async () => {
    await put({ 'a.txt': `${'a'.repeat(60)}b` });
    await rejects(search({ text: '' }), /Enter a search term/);
    await rejects(search({ text: '(', isRegExp: true }), /Invalid regular expression/);
    await rejects(search({ text: '(a+)+$', isRegExp: true }), /takes too long/);
    match((await search({ text: 'a+b', isRegExp: true })).matches[0]?.text ?? '', /^a+b$/);
  });

  it('ends immediately when stopped', async () => {
    await put({ 'a.txt': 'needle', 'b.txt': 'needle' });
    const before = new AbortController();
    before.abort();
    await rejects(search({}, {}, { signal: before.signal }), { name: 'AbortError' });
    const midway = new AbortController();
    let reported = 0;
    const onProgress = () => {
      reported += 1;
      midway.abort();
    };
    await rejects(search({}, {}, { signal: midway.signal, onProgress }), { name: 'AbortError' });
    equal(reported, 1);
  });
});
