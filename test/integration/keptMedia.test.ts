import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InsertForm } from '../../src/core/assets/insertForms';
import { generatedDrops } from '../../src/features/media/insert/generatedDrops';
import type { MediaQuestions } from '../../src/features/media/logic/mediaQuestions';
import type { Asset } from '../../src/services/media/media';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createMediaController, makeImage } from '../support/mediaController';
import type { MediaController } from '../support/mediaController';

const prompt = 'A red [fox] in "snow",\n<golden> hour';

describe('actions on a generated file', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let desk: MediaController;
  let asset: Asset;
  let elsewhere: string;
  let project: string;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'media', demo);
    project = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  });
  beforeEach(async () => {
    elsewhere = mkdtempSync(path.join(tmpdir(), 'media-'));
    // One for all tests, until one removes it.
    if (!existsSync(asset?.path ?? '')) asset = await makeImage(services, prompt);
    desk = createMediaController(services);
  });
  afterEach(async () => {
    desk.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const name of readdirSync(project)) rmSync(path.join(project, name), { recursive: true });
    rmSync(elsewhere, { recursive: true });
  });
  after(async () => {
    for (const { path: file } of await (await services.media()).assets.list())
      await (await services.media()).assets.remove(file);
    await beginAnew(services);
    await demo.close();
  });

  const open = async (name: string, text: string): Promise<vscode.TextDocument> => {
    const file = path.join(project, name);
    await vscode.workspace.fs.writeFile(vscode.Uri.file(file), Buffer.from(text));
    const document = await vscode.workspace.openTextDocument(file);
    // A test before this one may have left the file open with other text, which VS Code loads again when it notices the change.
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const end = document.lineAt(document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
    return document;
  };
  const revert = () => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  const reported = (title: RegExp) => (error: unknown) => isUserError(error) && title.test(error.title);
  /** In the folder that is proposed, unless it is to be another or none. */
  const choose = (form: InsertForm, folder?: string): Pick<MediaQuestions, 'insert'> => ({
    insert: async (_fitting, _others, usual) => {
      const target = usual && folder !== undefined ? { ...usual, folder } : usual;
      return { form, ...(folder !== 'stay' && { target }) };
    },
  });

  describe('inserting at the cursor', () => {
    it('copies the file into the project with a name from the document after one question, as one undo step', async () => {
      const document = await open('notes.md', 'See ');
      const name = path.basename(asset.path);
      const written = `![A red \\[fox\\] in "snow", \\<golden\\> hour](assets/${name})`;
      let offered: readonly InsertForm[] = [];
      desk.answers = {
        insert: async (fitting, _others, target) => {
          offered = fitting.map(({ form }) => form);
          equal(fitting[0]?.text, written);
          return { form: 'markdown', target };
        },
      };
      await desk.runtime.insert(asset.path);
      deepEqual(offered, ['markdown', 'html', 'path']);
      equal(document.getText(), `See ${written}`);
      deepEqual(readFileSync(path.join(project, 'assets', name)), readFileSync(asset.path));
      // No recipe, which nobody asked for.
      deepEqual(readdirSync(path.join(project, 'assets')), [name]);
      await vscode.commands.executeCommand('undo');
      equal(document.getText(), 'See ');
      await revert();
    });

    it("doesn't copy a file twice, or if it is part of the project", async () => {
      await open('notes.md', '');
      desk.answers = choose('path', 'made');
      await desk.runtime.insert(asset.path);
      await desk.runtime.insert(asset.path);
      await revert();
      equal(readdirSync(path.join(project, 'made')).length, 1);
      const document = await open('src/app.ts', '');
      desk.answers = choose('import');
      await desk.runtime.insert(vscode.Uri.file(path.join(project, 'made', path.basename(asset.path))));
      equal(document.getText(), `import aRedFoxInSnowGolden from '../made/${path.basename(asset.path)}';`);
      await revert();
    });

    it('includes the size and keeps the indent of the line', async () => {
      const folder = path.join(project, path.basename(asset.path));
      writeFileSync(folder, readFileSync(asset.path));
      writeFileSync(`${folder}.recipe.json`, readFileSync(`${asset.path}.recipe.json`));
      const page = await open('index.html', '  ');
      desk.answers = choose('html');
      await desk.runtime.insert(folder);
      const { width, height } = asset.recipe.file;
      const attributes = `alt="A red [fox] in &#34;snow&#34;, &#60;golden&#62; hour" width="${width}" height="${height}"`;
      equal(page.getText(), `  <img src="${path.basename(folder)}" ${attributes} />`);
      await revert();
      const text = await open('text.rst', '  ');
      desk.answers = choose('restructuredText');
      await desk.runtime.insert(folder);
      equal(text.getText(), `  .. image:: ${path.basename(folder)}\n     :alt: A red [fox] in "snow", <golden> hour`);
      await revert();
    });

    it('uses an absolute path if the file stays outside of the project or the document is unsaved', async () => {
      const styles = await open('a.css', '');
      desk.answers = choose('css', 'stay');
      await desk.runtime.insert(asset.path);
      equal(styles.getText(), `url('${vscode.Uri.file(asset.path).toString()}')`);
      await revert();
      const untitled = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
      await vscode.window.showTextDocument(untitled);
      desk.answers = choose('path');
      await desk.runtime.insert(asset.path);
      equal(untitled.getText(), asset.path);
      await revert();
    });

    it('inserts into the last used editor if an image is open', async () => {
      const document = await open('notes.md', '');
      await desk.runtime.showRecipe(asset.path);
      await desk.runtime.open(asset.path);
      desk.answers = choose('html', '');
      await desk.runtime.insert(undefined);
      match(document.getText(), new RegExp(`^<img src="${path.basename(asset.path)}" `));
      await vscode.window.showTextDocument(document);
      await revert();
    });

    it('leaves no files after a cancellation or a write error', async () => {
      const document = await open('notes.md', '');
      desk.answers = { insert: async () => undefined };
      await desk.runtime.insert(asset.path);
      deepEqual([document.getText(), existsSync(path.join(project, 'assets'))], ['', false]);
      writeFileSync(path.join(project, 'taken'), '');
      desk.answers = choose('path', 'taken');
      await rejects(desk.runtime.insert(asset.path), reported(/Couldn't save/));
      equal(document.getText(), '');
      await revert();
    });

    it("inserts dropped and pasted files in the document's format, copied and described, without a question", async () => {
      const drops = generatedDrops(services);
      const { token } = new vscode.CancellationTokenSource();
      const at = new vscode.Position(0, 0);
      const name = path.basename(asset.path);
      const transfer = (uri: string) => {
        const provided = new vscode.DataTransfer();
        provided.set('text/uri-list', new vscode.DataTransferItem(uri));
        return provided;
      };
      const dropped = async (document: vscode.TextDocument, uri: string) => {
        const edit = await drops.provider.provideDocumentDropEdits(document, at, transfer(uri), token);
        return edit as vscode.DocumentDropEdit | undefined;
      };
      await services.context.workspaceState.update(`mediaInsertFolder:${project}`, undefined);
      const notes = await open('docs/notes.md', '');
      const edit = await dropped(notes, vscode.Uri.file(asset.path).toString());
      equal(edit?.insertText, `![A red \\[fox\\] in "snow", \\<golden\\> hour](../assets/${name})`);
      ok(edit.additionalEdit && (await vscode.workspace.applyEdit(edit.additionalEdit)));
      deepEqual(readFileSync(path.join(project, 'assets', name)), readFileSync(asset.path));
      deepEqual(readdirSync(path.join(project, 'assets')), [name]);
      // As a page of ours calls it.
      const page = await open('index.html', '');
      const ofPage = `https://file%2B.vscode-resource.vscode-cdn.net${vscode.Uri.file(asset.path).path}`;
      match(
        (await dropped(page, ofPage))?.insertText as string,
        new RegExp(`^<img src="assets/${name}" alt="A red .fox`),
      );
      const paper = await open('paper.tex', '');
      const pasted = await drops.provider.provideDocumentPasteEdits!(
        paper,
        [new vscode.Range(at, at)],
        transfer(vscode.Uri.file(asset.path).toString()),
        { only: undefined, triggerKind: vscode.DocumentPasteTriggerKind.Automatic },
        token,
      );
      match((pasted as readonly vscode.DocumentPasteEdit[])[0]?.insertText as string, /assets\/.*\.png/);
      // What was not made here is left to the editor.
      writeFileSync(path.join(elsewhere, 'other.png'), readFileSync(asset.path));
      equal(await dropped(notes, vscode.Uri.file(path.join(elsewhere, 'other.png')).toString()), undefined);
      equal(await dropped(notes, 'https://example.com/a.png'), undefined);
      drops.dispose();
    });

    it('explains that an editor is missing or read-only', async () => {
      await rejects(desk.runtime.insert(asset.path), reported(/No active editor/));
      const provider = vscode.workspace.registerTextDocumentContentProvider('media-test', {
        provideTextDocumentContent: () => 'fixed',
      });
      await vscode.window.showTextDocument(vscode.Uri.parse('media-test:/a.md'));
      desk.answers = choose('path');
      await rejects(desk.runtime.insert(asset.path), reported(/No active editor/));
      provider.dispose();
    });
  });

  it('appears in the gallery if an agent generated it with the MCP server', async () => {
    const made = path.join(project, 'inference-desk', path.basename(asset.path));
    await vscode.workspace.fs.copy(vscode.Uri.file(asset.path), vscode.Uri.file(made));
    writeFileSync(`${made}.recipe.json`, readFileSync(`${asset.path}.recipe.json`));
    ok((await (await services.media()).assets.list()).some(({ path: file }) => file === made));
    ok(services.media.roots().some(({ fsPath }) => fsPath === path.dirname(made)));
  });

  describe('saving elsewhere', () => {
    it('copies the same bytes, with details for the new name if selected', async () => {
      const to = path.join(elsewhere, 'fox.png');
      let asked: readonly unknown[] = [];
      desk.answers = {
        target: async (_, suggested) => {
          equal(suggested.fsPath, path.join(project, path.basename(asset.path)));
          return vscode.Uri.file(to);
        },
        withRecipe: async (...question) => ((asked = question), 'with'),
      };
      await desk.runtime.saveAs(asset.path);
      deepEqual(asked, [asset.path, false]);
      deepEqual(readFileSync(to), readFileSync(asset.path));
      const saved = await (await services.media()).assets.read(to);
      deepEqual(saved?.recipe, { ...asset.recipe, file: { ...asset.recipe.file, name: 'fox.png' } });
      desk.answers = {
        target: async () => vscode.Uri.file(to),
        withRecipe: async (_, replaces) => (ok(replaces), undefined),
      };
      await desk.runtime.saveAs(asset.path);
    });

    it('leaves a complete file or none after an error, and explains it', async () => {
      const to = path.join(elsewhere, 'x', 'fox.png');
      writeFileSync(path.join(elsewhere, 'x'), 'a file');
      desk.answers = { target: async () => vscode.Uri.file(to), withRecipe: async () => 'with' };
      await rejects(desk.runtime.saveAs(asset.path), reported(/Couldn't save/));
      deepEqual(readdirSync(elsewhere), ['x']);
      desk.answers = { target: async () => undefined };
      await desk.runtime.saveAs(asset.path);
      desk.answers = { target: async () => vscode.Uri.file(asset.path) };
      await desk.runtime.saveAs(asset.path);
    });
  });

  describe('several selected files', () => {
    it('are saved to a folder without replacing files, and their details to a table', async () => {
      const second = await makeImage(services, '=A "crow", black', 8);
      const files = [asset.path, second.path];
      const names = files.map((file) => path.basename(file));
      writeFileSync(path.join(elsewhere, names[0] ?? ''), 'there before');
      const folder = vscode.Uri.file(elsewhere);
      desk.answers = { folder: async () => folder, withRecipe: async () => 'with' };
      await desk.runtime.saveAs(files[0], files);
      const [stem] = (names[0] ?? '').split('.');
      deepEqual(
        new Set(readdirSync(elsewhere)),
        new Set([names[0], `${stem}-2.png`, `${stem}-2.png.recipe.json`, names[1], `${names[1]}.recipe.json`]),
      );
      equal(readFileSync(path.join(elsewhere, names[0] ?? ''), 'utf8'), 'there before');
      for (const name of ['details.csv', 'details.json']) {
        desk.answers = { details: async () => vscode.Uri.joinPath(folder, name) };
        await desk.runtime.exportDetails(files[0], files);
      }
      const [header = '', ...rows] = readFileSync(path.join(elsewhere, 'details.csv'), 'utf8').split('\r\n');
      match(header, /^file,kind,prompt,/);
      ok(
        rows.some((row) => row.startsWith(`${names[1]},image,"'=A ""crow"", black",`)),
        rows.join('\n'),
      );
      const [, details] = JSON.parse(readFileSync(path.join(elsewhere, 'details.json'), 'utf8')) as {
        prompt: string;
      }[];
      equal(details?.prompt, '=A "crow", black');
    });

    it('are inserted one per line after one question about the format', async () => {
      const second = await makeImage(services, 'A crow', 9);
      const document = await open('notes.md', '');
      let asked = 0;
      desk.answers = {
        insert: async (fitting, _, target) => {
          asked += 1;
          return { form: fitting[0]!.form, target };
        },
      };
      await desk.runtime.insert(asset.path, [asset.path, second.path]);
      equal(asked, 1);
      deepEqual(
        document
          .getText()
          .split('\n')
          .map((line) => /^!\[.*\]\(assets\/.+\.png\)$/.test(line)),
        [true, true],
      );
    });
  });

  describe('removing', () => {
    const files = () => [asset.path, `${asset.path}.recipe.json`].map((file) => existsSync(file));

    it('deletes the file with its details after confirmation, and Undo restores it without a trash', async () => {
      desk.answers = { remove: async () => false };
      await desk.runtime.remove(asset.path);
      deepEqual(files(), [true, true]);
      const asked: unknown[] = [];
      let undo: (isUndone: boolean) => void = () => undefined;
      desk.answers = {
        remove: async (...of) => asked.push(of) > 0,
        undoRemove: (of) => {
          asked.push(of);
          return new Promise((resolve) => (undo = resolve));
        },
      };
      // The command ends although the notification stays.
      await desk.runtime.remove(asset.path);
      deepEqual(files(), [false, false]);
      deepEqual(asked, [[[asset.path], false], [asset.path]]);
      const restored = new Promise((resolve) => services.media.onDidChangeAssets(resolve));
      undo(true);
      await restored;
      deepEqual(files(), [true, true]);
      equal((await (await services.media()).assets.read(asset.path))?.recipe.kind, 'image');
    });

    it('deletes only generated files', async () => {
      const file = path.join(elsewhere, 'own.png');
      writeFileSync(file, 'mine');
      await rejects(desk.runtime.remove(file), reported(/[Nn]o (?:\w+ )?details/));
      ok(existsSync(file));
    });
  });

  describe('regenerating', () => {
    it('sends the request or fills the form, from the file, its details, or the open editor', async () => {
      await desk.runtime.regenerate(asset.path);
      await desk.runtime.vary(vscode.Uri.file(`${asset.path}.recipe.json`));
      await desk.runtime.open(asset.path);
      await desk.runtime.vary(undefined);
      await desk.runtime.showRecipe(asset.path);
      equal(vscode.window.activeTextEditor?.document.uri.fsPath, `${asset.path}.recipe.json`);
      await desk.runtime.vary(undefined);
      const { path: file } = asset;
      deepEqual(desk.ran, [
        ['inferenceDesk.images.open', { as: 'regenerate', path: file }],
        ...Array<unknown>(3).fill(['inferenceDesk.images.open', { as: 'vary', path: file }]),
      ]);
    });

    it('offers the newest files if no file is open', async () => {
      desk.answers = { made: async ([newest]) => newest };
      await desk.runtime.vary(undefined);
      equal(desk.ran.length, 1);
    });

    it('asks for the account if the file was generated at another service', async () => {
      const { profiles } = services;
      const other = { id: 'other', name: 'Other', baseUrl: 'https://other.example/v1' };
      await profiles.save(other);
      await profiles.setActive('other');
      desk.answers = {
        service: async (_, active, fitting) => {
          deepEqual([active.id, fitting.map(({ id }) => id)], ['other', ['media']]);
          return undefined;
        },
      };
      await desk.runtime.regenerate(asset.path);
      deepEqual([desk.ran, profiles.active?.id], [[], 'other']);
      desk.answers = { service: async (_a, _b, [profile]) => ({ profile: profile! }) };
      await desk.runtime.regenerate(asset.path);
      deepEqual([desk.ran.length, profiles.active?.id], [1, 'media']);
      await profiles.remove('other');
    });

    it('regenerates speech on the page of its voice', async () => {
      const keep = async (voice: string) => {
        const bytes = Buffer.from(`RIFF${voice}`);
        const request = { model: 'm', input: 'Hello', voice };
        return (await (await services.media()).assets.keep(bytes, { kind: 'speech', service: demo.baseUrl, request }))
          .path;
      };
      const file = await keep('speech:narrator:1:2');
      await desk.runtime.regenerate(file);
      await desk.runtime.vary(file);
      deepEqual(desk.ran, [
        ['inferenceDesk.voices.open', { as: 'regenerate', path: file }],
        ['inferenceDesk.voices.open', { as: 'vary', path: file }],
      ]);
      await rejects(desk.runtime.vary(await keep('')), reported(/find the voice of this clip/));
    });

    it('explains missing or damaged details, missing files, and other errors', async () => {
      const file = path.join(elsewhere, 'a.png');
      writeFileSync(file, 'x');
      await rejects(desk.runtime.regenerate(file), reported(/No details for this file/));
      await rejects(desk.runtime.showRecipe(file), reported(/No details for this file/));
      writeFileSync(`${file}.recipe.json`, '{');
      await rejects(desk.runtime.vary(file), reported(/read the details/));
      await rejects(desk.runtime.open(path.join(elsewhere, 'gone.png')), reported(/no longer exists/));
      for (const of of ['relative.png', 5, {}, null])
        await rejects(desk.runtime.open(of), reported(/No file selected/));
      await rejects(desk.runtime.open(vscode.Uri.parse('untitled:a.png')), reported(/isn't on disk/));
      await rejects(desk.runtime.checkNow('nothing'), reported(/no longer tracked/));
    });
  });

  it('copies its path, and can be saved if no other program can open it', async () => {
    await desk.runtime.copyPath(asset.path);
    equal(await vscode.env.clipboard.readText(), asset.path);
    desk.answers = { saveInstead: async () => true };
    await desk.runtime.openOutside(asset.path);
    deepEqual(desk.ran, [['inferenceDesk.media.saveAs', asset.path]]);
    await rejects(desk.runtime.reveal(asset.path), reported(/Couldn't show the folder/));
    match(asset.recipe.request.model, /Qwen/);
  });

  it('never opens with a program that might run it', async () => {
    const recipe = readFileSync(`${asset.path}.recipe.json`);
    const picture = readFileSync(asset.path);
    for (const [name, bytes] of [
      ['cat.bat', 'calc'],
      ['cat.desktop', picture],
      ['cat.html', '<script>1</script>'],
      ['cat.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['cat.png', '<html></html>'],
      ['cat.mp3', '<html></html>'],
    ] as const) {
      const file = path.join(elsewhere, name);
      writeFileSync(file, bytes);
      writeFileSync(`${file}.recipe.json`, recipe);
      await rejects(desk.runtime.openOutside(file), reported(/Couldn't open/), name);
    }
    deepEqual(desk.ran, []);
  });
});
