import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CodeEdits } from '../../src/features/chat/edits/codeEdits';
import { codeBlocksIn } from '../../src/core/edits/answerCode';
import type { Attachment } from '../../src/core/conversation/attachment';
import type { TranscriptTurn } from '../../src/core/conversation/transcript';
import { codeKey } from '../../src/protocol/codeActions';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { until } from '../support/until';

const rows =
  'def parse_rows(text):\n    return text.split("\\n")\n\n\ndef count(text):\n    return len(parse_rows(text))\n';
const app = "import { total } from './cart';\n\nconsole.log(total([1, 2]));\n";
const cart = 'export function total(items: number[]): number {\n  return items.length;\n}\n';

describe('edits from chat answers', function () {
  this.timeout(120_000);
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'applied');
  let services: Services;
  let edits: CodeEdits;

  before(async () => (services = await deskServices()));
  beforeEach(() => {
    mkdirSync(root, { recursive: true });
    for (const [name, text] of [
      ['rows.py', rows],
      ['app.ts', app],
      ['cart.ts', cart],
      ['.env', 'KEY=1\n'],
    ] as const)
      writeFileSync(join(root, name), text);
    edits = new CodeEdits(services);
  });
  afterEach(async () => {
    edits.pending.keep();
    edits.dispose();
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(root, { recursive: true, force: true });
  });

  const turnOf = (answer: string, attachments: readonly Attachment[] = []): readonly TranscriptTurn[] => {
    const answers = [
      {
        id: 'a',
        model: 'm',
        startedAt: 0,
        blocks: [{ type: 'text' as const, text: answer }],
        end: { state: 'done' as const },
      },
    ];
    return [{ id: 't', parent: null, question: 'q', askedAt: 0, answers, attachments }];
  };
  const file = (name: string): Attachment => ({
    kind: 'file',
    label: `applied/${name}`,
    language: '',
    text: '',
    tokens: 1,
  });
  const placeOf = (answer: string, at = 0) => ({ key: codeKey(codeBlocksIn(answer)[at]!.code), index: 0 });
  const open = (name: string) => vscode.workspace.openTextDocument(join(root, name));
  const textOf = async (name: string) => (await open(name)).getText();
  const diffs = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff),
    );

  it('renames across a file from an answer with the complete file, unsaved and as one undo step', async () => {
    const answer = `Renamed:\n\n\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    const turn = turnOf(answer, [file('rows.py')]);
    deepEqual(await edits.targets(turn), [
      { key: placeOf(answer).key, kind: 'file', path: 'applied/rows.py', added: 2, removed: 2 },
    ]);
    await edits.apply(turn, placeOf(answer));
    equal(await textOf('rows.py'), rows.replaceAll('parse_rows', 'split_rows'));
    equal(readFileSync(join(root, 'rows.py'), 'utf8'), rows);
    equal(edits.pending.in((await open('rows.py')).uri).length, 2);
    await vscode.commands.executeCommand('undo');
    equal(await textOf('rows.py'), rows);
    deepEqual(edits.pending.views, []);
  });

  it('shows Keep and Undo above each change', async () => {
    const answer = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    await edits.apply(turnOf(answer, [file('rows.py')]), placeOf(answer));
    const { uri } = await open('rows.py');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const titles = (line: number) =>
      lenses.filter(({ range }) => range.start.line === line).map(({ command }) => command?.title);
    deepEqual(titles(0), ['Keep', 'Undo', 'Compare', 'Keep All', 'Undo All']);
    deepEqual(titles(5), ['Keep', 'Undo', 'Compare']);
  });

  it('drops the changes of a file that is closed unsaved, but not of a saved one', async () => {
    const apply = async (name: string) => {
      writeFileSync(join(root, name), rows);
      const answer = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
      await edits.apply(turnOf(answer, [file(name)]), placeOf(answer));
      equal(edits.pending.views.length, 1);
    };
    await apply('discarded.py');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => edits.pending.views.length === 0 || undefined, 'the changes forgotten');

    await apply('saved.py');
    await vscode.commands.executeCommand('workbench.action.files.save');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await open('app.ts');
    equal(edits.pending.views.length, 1);
  });

  it('keeps the changes of a file that is renamed, or moved with its folder', async () => {
    mkdirSync(join(root, 'from'));
    writeFileSync(join(root, 'from', 'rows.py'), rows);
    const answer = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    await edits.apply(turnOf(answer, [file('from/rows.py')]), placeOf(answer));
    await vscode.commands.executeCommand('workbench.action.files.save');
    const move = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(join(root, from)), vscode.Uri.file(join(root, to)));
      ok(await vscode.workspace.applyEdit(edit));
    };
    await move('from/rows.py', 'from/lines.py');
    await move('from', 'to');
    const moved = vscode.Uri.file(join(root, 'to', 'lines.py'));
    await until(() => edits.pending.in(moved).length === 2 || undefined, 'the changes of the moved file');
    await edits.pending.undo(moved);
    equal((await vscode.workspace.openTextDocument(moved)).getText(), rows);
  });

  it('keeps one change and undoes another, around what the user types', async () => {
    const answer = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    await edits.apply(turnOf(answer, [file('rows.py')]), placeOf(answer));
    const document = await open('rows.py');
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(0, 0), '# mine\n');
    typed.insert(document.uri, new vscode.Position(2, 0), '\n# also mine\n');
    await vscode.workspace.applyEdit(typed);
    const [first, second] = edits.pending.in(document.uri);
    deepEqual([first?.start, second?.start], [1, 8]);
    edits.pending.keep(document.uri, first!.id);
    await edits.pending.undo(document.uri, second!.id);
    equal(
      document.getText(),
      `# mine\n${rows.replace('parse_rows', 'split_rows').replace('\n\n\ndef', '\n\n# also mine\n\n\ndef')}`,
    );
    deepEqual(edits.pending.views, []);
  });

  it('applies an answer to two files together, and undoes both', async () => {
    const answer = [
      'In `applied/cart.ts`:',
      '```ts',
      'export function sum(items: number[]): number {',
      '  return items.reduce((one, other) => one + other, 0);',
      '}',
      '```',
      '**applied/app.ts**',
      '```diff',
      '@@ -1,9 +1,9 @@',
      "-import { total } from './cart';",
      "+import { sum } from './cart';",
      ' ',
      '-console.log(total([1, 2]));',
      '+console.log(sum([1, 2]));',
      '```',
    ].join('\n');
    const turn = turnOf(answer);
    deepEqual(
      (await edits.targets(turn)).map(({ kind, path, added, removed }) => [kind, path, added, removed]),
      [
        ['file', 'applied/cart.ts', 2, 2],
        ['file', 'applied/app.ts', 2, 2],
      ],
    );
    await edits.applyAll(turn);
    equal(await textOf('app.ts'), app.replaceAll('total', 'sum'));
    match(await textOf('cart.ts'), /function sum/);
    deepEqual(
      edits.pending.views.map(({ path }) => path),
      ['applied/cart.ts', 'applied/app.ts'],
    );
    await edits.pending.undo();
    equal(await textOf('app.ts'), app);
    equal(await textOf('cart.ts'), cart);
    deepEqual(edits.pending.views, []);
  });

  it('undoes nothing if one of the files is gone, and then undoes the others', async () => {
    const answer = [
      ['rows.py', rows.replaceAll('parse_rows', 'split_rows')],
      ['cart.ts', cart.replaceAll('total', 'sum')],
    ]
      .map(([name, text]) => `\`applied/${name}\`:\n\n\`\`\`\n${text}\`\`\``)
      .join('\n\n');
    await edits.applyAll(turnOf(answer, ['rows.py', 'cart.ts'].map(file)));
    equal(edits.pending.views.length, 2);
    // VS Code itself keeps a document for minutes after its file was deleted.
    const { openTextDocument } = vscode.workspace;
    const gone = {
      openTextDocument: async (uri: vscode.Uri) => {
        if (uri.path.endsWith('cart.ts')) throw new Error('File not found');
        return openTextDocument(uri);
      },
    };
    Object.assign(vscode.workspace, gone);
    try {
      await rejects(edits.pending.undo(), /The file has changed/);
    } finally {
      Object.assign(vscode.workspace, { openTextDocument });
    }
    deepEqual(
      edits.pending.views.map(({ path }) => path),
      ['applied/rows.py'],
    );
    match(await textOf('rows.py'), /split_rows/);
    await edits.pending.undo();
    equal(await textOf('rows.py'), rows);
  });

  it('writes no code to an uncertain location, and shows both sides', async () => {
    const answer = 'In `applied/app.ts`:\n```ts\nsomething.else();\n```';
    const turn = turnOf(answer);
    const [target] = await edits.targets(turn);
    deepEqual([target?.kind, target?.added], ['file', undefined]);
    await rejects(edits.apply(turn, placeOf(answer)), /Couldn't place the code in applied\/app.ts/);
    equal(await textOf('app.ts'), app);
    equal(diffs().length, 1);
  });

  it('never applies a truncated answer', async () => {
    const answer = `In \`applied/rows.py\`:\n\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows').slice(0, 60)}`;
    const turn = turnOf(answer);
    deepEqual(await edits.targets(turn), []);
    await rejects(edits.apply(turn, placeOf(answer)), /Couldn't place/);
    equal(await textOf('rows.py'), rows);
  });

  it('applies no code to secret files or files outside of the workspace', async () => {
    const answer = '```ts applied/.env\nKEY=2\n```\n```ts ../x.ts\na\n```\n```ts /etc/hosts\nb\n```';
    deepEqual(
      (await edits.targets(turnOf(answer))).map(({ kind }) => kind),
      ['unknown', 'unknown', 'unknown'],
    );
  });

  it('opens a new file unsaved, which undoing closes', async () => {
    const answer = '```ts applied/new/tax.ts\nexport const rate = 0.2;\n```';
    const turn = turnOf(answer);
    deepEqual(
      (await edits.targets(turn)).map(({ kind, added }) => [kind, added]),
      [['newFile', 1]],
    );
    await edits.apply(turn, placeOf(answer));
    const { document } = vscode.window.activeTextEditor!;
    equal(document.getText(), 'export const rate = 0.2;\n');
    ok(document.isUntitled && document.uri.path.endsWith('applied/new/tax.ts'));
    ok(!existsSync(join(root, 'new')));
    await edits.pending.undo();
    equal(vscode.window.activeTextEditor, undefined);
  });

  it('recognizes pending changes after a reload if the text is unchanged', async () => {
    const answer = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    await edits.apply(turnOf(answer, [file('rows.py')]), placeOf(answer));
    edits.dispose();
    edits = new CodeEdits(services);
    await edits.pending.restore();
    equal(edits.pending.views[0]?.added, 2);
    await edits.pending.undo();
    equal(await textOf('rows.py'), rows);
    await edits.apply(turnOf(answer, [file('rows.py')]), placeOf(answer));
    edits.dispose();
    const document = await open('rows.py');
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(0, 0), 'x = 1\n');
    await vscode.workspace.applyEdit(typed);
    edits = new CodeEdits(services);
    await edits.pending.restore();
    deepEqual(edits.pending.views, []);
    match(document.getText(), /^x = 1\ndef split_rows/);
  });

  it('combines two answers about one file, so undo restores the original text', async () => {
    const once = `\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\``;
    const twice = `\`\`\`python\n${rows.replaceAll('parse_rows', 'lines_of')}\`\`\``;
    await edits.apply(turnOf(once, [file('rows.py')]), placeOf(once));
    await edits.apply(turnOf(twice, [file('rows.py')]), placeOf(twice));
    match(await textOf('rows.py'), /lines_of/);
    await edits.pending.undo();
    equal(await textOf('rows.py'), rows);
  });
});
