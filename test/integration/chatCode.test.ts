import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createCodeActions } from '../../src/features/chat/code/codeActions';
import type { CodeActions } from '../../src/features/chat/code/codeActions';
import { ShellPrompts } from '../../src/features/chat/code/terminal';
import type { RunAnswer } from '../../src/features/chat/code/terminal';
import { insertAt } from '../../src/platform/workspace/insertAtCursor';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import type { LastEditor } from '../../src/platform/workspace/lastEditor';
import { createReplacements } from '../../src/platform/workspace/replacements';
import type { Replacements } from '../../src/platform/workspace/replacements';
import { isUserError } from '../../src/platform/errors/userError';
import type { UsedCode } from '../../src/protocol/chat';
import { until } from '../support/until';

const text = 'const one = 1;\nconst two = 2;\nconst three = 3;\n';

describe('the actions of a code block in the editor', function () {
  this.timeout(120_000);
  let lastEditor: LastEditor;
  let actions: CodeActions;
  let replacements: Replacements;
  let prompts: ShellPrompts;
  let asked: string[];
  let answer: RunAnswer;
  let editor: vscode.TextEditor;

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    [asked, answer] = [[], undefined];
    lastEditor = createLastEditor();
    replacements = createReplacements();
    prompts = new ShellPrompts();
    actions = createCodeActions(lastEditor, replacements, prompts, async (code) => {
      asked.push(code);
      return answer;
    });
    const document = await vscode.workspace.openTextDocument({ content: text, language: 'typescript' });
    editor = await vscode.window.showTextDocument(document, { preview: false });
  });
  afterEach(async () => {
    lastEditor.dispose();
    replacements.dispose();
    prompts.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await until(async () => (vscode.window.terminals.length === 0 ? true : undefined), 'the end of the terminals');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const use = (action: UsedCode['action'], code: string, language = 'ts') =>
    actions.use({ turnId: 't', action, code, language });
  const content = () => editor.document.getText();
  const undo = async () => {
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
  };
  const select = (...[line, from, to, toLine = line]: [number, number, number, number?]) =>
    (editor.selection = new vscode.Selection(line, from, toLine, to));
  const diff = (): vscode.TabInputTextDiff | undefined => {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    return inputs.find((input) => input instanceof vscode.TabInputTextDiff);
  };

  it('insert on separate lines at the cursor, as one undo step', async () => {
    select(1, 6, 9);
    await use('insert', 'const half = 0.5;\nconst third = 1 / 3;\n');
    equal(content(), text.replace('two = 2;', 'two = 2;\nconst half = 0.5;\nconst third = 1 / 3;'));
    await undo();
    equal(content(), text);
  });

  it('insert at the cursor of a document that changes at the same time', async () => {
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    let changes = 0;
    await insertAt(editor, ({ start }, document) => {
      // Sent to VS Code before the insertion, whose edit then is for an older version of the document.
      if (changes++ === 0) void editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '// changed\n'));
      return { range: new vscode.Range(start, start), text: `/* ${document.lineCount} */` };
    });
    equal(changes, 2);
    match(content(), /^\/\/ changed\n\/\* \d+ \*\//);
  });

  it('insert into the last text editor while another kind of editor is active', async () => {
    select(0, 0, 0);
    for (const column of [vscode.ViewColumn.Active, vscode.ViewColumn.Beside]) {
      const panel = vscode.window.createWebviewPanel('test', 'Test', column);
      for (let tries = 0; tries < 50 && !panel.active; tries++) await new Promise((done) => setTimeout(done, 50));
      await use('insert', '// first\n');
      panel.dispose();
    }
    equal(content(), `// first\n// first\n${text}`);
  });

  it('explain that no editor is open', async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rejects(use('insert', 'x'), { name: 'UserError' });
    await rejects(use('replace', 'x'), { name: 'UserError' });
  });

  it('replace the selection after a diff, as one undo step', async () => {
    select(1, 12, 13);
    await use('replace', '22\n');
    equal(content(), text);
    const input = diff();
    ok(input);
    equal(input.original.toString(), editor.document.uri.toString());
    const proposed = await vscode.workspace.openTextDocument(input.modified);
    equal(proposed.getText(), text.replace('= 2', '= 22'));
    await replacements.apply(input.modified);
    equal(content(), text.replace('= 2', '= 22'));
    equal(diff(), undefined);
    equal(vscode.window.activeTextEditor?.document.getText(vscode.window.activeTextEditor.selection), '22');
    await undo();
    equal(content(), text);
  });

  it('keep lines complete, and apply the active diff', async () => {
    select(1, 0, 0, 2);
    await use('replace', 'const deux = 2;\n');
    await replacements.apply(undefined);
    equal(content(), text.replace('two', 'deux'));
  });

  it('change no text after a replacement is discarded', async () => {
    select(0, 0, 5);
    await use('replace', 'let\n');
    const proposal = diff()?.modified;
    await replacements.discard(proposal);
    equal(diff(), undefined);
    equal(content(), text);
    await rejects(replacements.apply(proposal), { name: 'UserError' });
  });

  it('reject a replacement for an earlier text, and allow it to be discarded', async () => {
    select(0, 0, 5);
    await use('replace', 'let\n');
    const proposal = diff()?.modified;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, new vscode.Position(0, 0), '// new\n');
    await vscode.workspace.applyEdit(edit);
    await rejects(replacements.apply(proposal), /The file has changed/);
    equal(content(), `// new\n${text}`);
    ok(diff());
    await replacements.discard(proposal);
  });

  it('leave a read-only file unchanged, with its replacement still in the diff', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'code-'));
    const file = path.join(folder, 'read-only.ts');
    writeFileSync(file, text);
    editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      select(0, 0, 5);
      await rejects(use('insert', 'let zero = 0;\n'), { name: 'UserError' });
      await use('replace', 'let\n');
      const proposal = diff()?.modified;
      await rejects(replacements.apply(proposal), /Couldn't change the file/);
      equal(content(), text);
      await replacements.discard(proposal);
    } finally {
      await vscode.window.showTextDocument(editor.document);
      await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
      rmSync(folder, { recursive: true });
    }
  });

  it('require a selection', async () => {
    select(0, 0, 0);
    await rejects(use('replace', 'x'), /No selection/);
  });

  it('open a new file in the language of the block', async () => {
    await use('newFile', 'print(1)\n', 'py');
    const opened = vscode.window.activeTextEditor?.document;
    equal(opened?.getText(), 'print(1)\n');
    equal(opened.languageId, 'python');
    ok(opened.isUntitled);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('type only confirmed shell code into a terminal', async () => {
    const before = vscode.window.terminals.length;
    await use('run', 'echo hi\n', 'bash');
    equal(asked.join(), 'echo hi');
    await rejects(use('run', 'print(1)', 'python'), /Only the code of a shell/);
    for (const code of ['ls \u202e', 'cat \u05D0 > 1', 'sudo !!'])
      await rejects(use('run', code, 'bash'), { name: 'UserError' });
    equal(asked.length, 1);
    equal(vscode.window.terminals.length, before);
  });

  it("don't run code that is too long to display, and offer a new file", async () => {
    await rejects(
      use('run', `echo hi\n${'\n'.repeat(1200)}rm -rf /`, 'bash'),
      (error) =>
        isUserError(error) && /too long for this dialog/.test(error.detail) && error.actions[0]?.id === 'newFile',
    );
    deepEqual(asked, []);
  });

  it('ask with Run selected by default for one line, and with a new file selected for several', async () => {
    const questions: unknown[] = [];
    const { showWarningMessage } = vscode.window;
    const ask = async (question: string, { detail }: vscode.MessageOptions, ...items: vscode.MessageItem[]) =>
      void questions.push([question, detail, ...items.map(({ title }) => title)]);
    Object.assign(vscode.window, { showWarningMessage: ask });
    try {
      const own = createCodeActions(lastEditor, replacements, prompts);
      for (const code of ['npm test\n', 'npm ci\nnpm test\n'])
        await own.use({ turnId: 't', action: 'run', code, language: 'bash' });
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
    deepEqual(questions, [
      ['Run this in the terminal?', 'npm test', 'Run', 'Open as New File'],
      ['Run these 2 lines in the terminal?', 'npm ci\nnpm test', 'Open as New File', 'Run 2 Lines'],
    ]);
    equal(vscode.window.terminals.length, 0);
  });

  it('open code as a new file when the user looks at it instead of running it', async () => {
    answer = 'newFile';
    const before = vscode.window.terminals.length;
    await use('run', 'echo one\necho two\n', 'bash');
    equal(vscode.window.activeTextEditor?.document.getText(), 'echo one\necho two\n');
    equal(vscode.window.terminals.length, before);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  interface OpenTerminal {
    readonly terminal: vscode.Terminal;
    /** What is typed there, as it comes. */
    readonly typed: readonly string[];
    write(output: string): void;
  }

  /** Opens a terminal whose program is this test: it writes `output`. */
  async function openTerminal(output: string): Promise<OpenTerminal> {
    const written = new vscode.EventEmitter<string>();
    const typed: string[] = [];
    const opened = new vscode.EventEmitter<void>();
    const isOpen = new Promise<void>((done) => opened.event(done));
    const handleInput = (data: string) => void typed.push(data);
    const pty = { onDidWrite: written.event, open: () => opened.fire(), close() {}, handleInput };
    const terminal = vscode.window.createTerminal({ name: 'Test', pty });
    terminal.show();
    await isOpen;
    await until(async () => (vscode.window.activeTerminal === terminal ? true : undefined), 'the terminal');
    written.fire(output);
    return { terminal, typed, write: (more) => written.fire(more) };
  }

  /** What a shell's integration writes, as the editor reads it. */
  const marks = {
    /** Its prompt begins, and here what is typed at it. */
    prompt: '\u001B]633;A\u0007$ \u001B]633;B\u0007',
    start: (command: string) => `\u001B]633;E;${command}\u0007\u001B]633;C\u0007`,
    end: '\u001B]633;D;0\u0007',
    folder: (path: string) => `\u001B]633;P;Cwd=${path}\u0007`,
  };
  const next = <T>(event: vscode.Event<T>) =>
    new Promise<T>((done) => {
      const listening = event((value) => {
        listening.dispose();
        done(value);
      });
    });
  /** A terminal in which a command runs, whose output so far is that of a shell elsewhere in another folder. */
  async function openSession(): Promise<OpenTerminal> {
    const waits = next(vscode.window.onDidChangeTerminalShellIntegration);
    const opened = await openTerminal(marks.prompt);
    await waits;
    const starts = next(vscode.window.onDidStartTerminalShellExecution);
    opened.write(marks.start('ssh elsewhere'));
    await starts;
    return opened;
  }
  async function moveTo(folder: string, session: OpenTerminal): Promise<void> {
    const moved = next(vscode.window.onDidChangeTerminalShellIntegration);
    session.write(marks.folder(folder));
    equal((await moved).shellIntegration.cwd?.path, folder);
  }
  async function typesNothing({ typed }: OpenTerminal): Promise<void> {
    await use('run', 'echo hi', 'bash');
    const isDone = () => typed.length > 0 || vscode.window.terminals.length > 1;
    await until(async () => (isDone() ? true : undefined), 'what is typed');
    deepEqual(typed, []);
  }

  it("don't type into a terminal where a program other than a shell might listen", async () => {
    answer = 'run';
    await typesNothing(await openTerminal('Password: '));
  });

  it("don't type into a session whose command reports another folder", async () => {
    answer = 'run';
    const session = await openSession();
    await moveTo('/home/elsewhere', session);
    await typesNothing(session);
  });

  it("don't type into a session older than the extension's shell tracking", async () => {
    answer = 'run';
    const session = await openSession();
    prompts.dispose();
    prompts = new ShellPrompts();
    actions = createCodeActions(lastEditor, replacements, prompts, async () => answer);
    await moveTo('/home/elsewhere', session);
    await typesNothing(session);
  });

  it('run in the terminal whose command has ended', async () => {
    answer = 'run';
    const session = await openSession();
    await moveTo('/home/elsewhere', session);
    const ends = next(vscode.window.onDidEndTerminalShellExecution);
    session.write(`${marks.end}${marks.prompt}`);
    await ends;
    await use('run', 'echo one', 'bash');
    await until(async () => (session.typed.join('').endsWith('\r') ? true : undefined), 'what is typed');
    equal(session.typed.join(''), 'echo one\r');
    equal(vscode.window.terminals.length, 1);
  });

  it('run in the terminal with a waiting shell, and replace text that was typed there', async () => {
    answer = 'run';
    const waits = next(vscode.window.onDidChangeTerminalShellIntegration);
    const { typed } = await openTerminal(marks.prompt);
    await waits;
    await use('run', 'echo one\necho two', 'bash');
    await until(async () => (typed.join('').endsWith('\r') ? true : undefined), 'what is typed');
    equal(typed.join(''), 'echo one\recho two\r');
    equal(vscode.window.terminals.length, 1);
  });

  it('run confirmed code in a terminal', async function () {
    answer = 'run';
    const file = vscode.Uri.joinPath(vscode.Uri.file((await import('node:os')).tmpdir()), `ran-${Date.now()}`);
    await use('run', `echo one > '${file.fsPath}'\necho two >> '${file.fsPath}'\n`, 'sh');
    // Some builds of an editor bring no terminal that can start a shell.
    const noShell = new Promise<undefined>((done) => setTimeout(done, 10_000, undefined));
    if ((await Promise.race([vscode.window.terminals.at(-1)?.processId, noShell])) === undefined) this.skip();
    let written = '';
    for (let tries = 0; tries < 60 && !written.includes('two'); tries++) {
      await new Promise((done) => setTimeout(done, 200));
      written = await vscode.workspace.fs.readFile(file).then(
        (bytes) => Buffer.from(bytes).toString(),
        () => '',
      );
    }
    equal(written, 'one\ntwo\n');
    await vscode.workspace.fs.delete(file);
  });
});
