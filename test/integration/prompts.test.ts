import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { PromptsRuntime } from '../../src/features/prompts/promptsRuntime';
import type { ChatRequest } from '../../src/services/chat/chatService';
import type { Services } from '../../src/services/services';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import { beginAnew, deskServices, leaveQuickOpen, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const other = 'deepseek-ai/DeepSeek-V3';

describe('prompt files', function () {
  this.timeout(120_000);
  let folder: string;
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'prompts-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: { firstTokenMs: 5, tokenMs: 0 } });
    await signInAnew(services, 'prompting', demo);
    await services.models.refresh();
  });
  afterEach(async () => {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string | Buffer) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  const open = async (name: string, text: string) =>
    vscode.window.showTextDocument(write(name, text), { preview: false });
  const lensesOf = (uri: vscode.Uri) =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
  const shown = async (uri: vscode.Uri) => {
    await until(async () => (await lensesOf(uri)).length > 0 || undefined, 'the lenses');
  };
  const problemsOf = (document: vscode.TextDocument) =>
    vscode.languages
      .getDiagnostics(document.uri)
      .map(({ code, range }) => `${typeof code === 'string' ? code : ''}: ${document.getText(range)}`);
  const problems = async (document: vscode.TextDocument, expected: readonly string[]) => {
    await until(() => problemsOf(document).join() === expected.join() || undefined, expected.join()).catch(
      () => undefined,
    );
    deepEqual(problemsOf(document), expected);
  };
  const offered = async (document: vscode.TextDocument, before: string, trigger?: string) => {
    const position = document.positionAt(document.getText().indexOf(before) + before.length);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
      trigger,
      20,
    );
    const ours = [
      vscode.CompletionItemKind.Property,
      vscode.CompletionItemKind.Value,
      vscode.CompletionItemKind.Variable,
    ];
    return items.filter(({ kind }) => kind !== undefined && ours.includes(kind));
  };
  const hovered = async (document: vscode.TextDocument, text: string) => {
    const position = document.positionAt(document.getText().indexOf(text) + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    return hovers
      .flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)))
      .join('\n');
  };
  const fixes = (document: vscode.TextDocument, text: string) => {
    const start = document.positionAt(document.getText().indexOf(text));
    return vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(start, start),
    );
  };

  it('have lenses above the first line, which the setting hides', async () => {
    const { document } = await open('lenses.desk.md', 'Hello.');
    equal(document.languageId, 'markdown');
    await shown(document.uri);
    const titles = (await lensesOf(document.uri)).map(({ command }) => command?.title);
    deepEqual(titles, ['Run (price unknown)', 'Compare', 'Add to Batch File…', 'New Batch File from Rows…']);
    await services.settings.set('prices', { '*': { input: 1000, output: 0 } });
    const { document: compared } = await open(
      'priced.desk.md',
      `---\nmodels: [${other}, Qwen/Qwen3-8B]\nvariables:\n  topic:\n---\nTell me about {{topic}}, please.`,
    );
    const priced = (await lensesOf(compared.uri)).map(({ command }) => command?.title ?? '');
    const [run = '', compare = ''] = priced;
    match(run, /^Run \(\D*0\.0\d+ or more\)$/);
    match(compare, /^Compare \(\D*0\.0\d+ or more\)$/);
    const amountIn = (label: string) => Number(/0\.\d+/.exec(label)?.[0]);
    ok(amountIn(compare) > amountIn(run), `${run}, ${compare}`);
    await services.settings.set('prices', {});
    const { document: plain } = await open('plain.md', '---\nmodle: x\n---\n');
    deepEqual(await lensesOf(plain.uri), []);
    deepEqual(problemsOf(plain), []);
    await services.settings.set('batch.lenses', false);
    deepEqual(await lensesOf(document.uri), []);
    await services.settings.set('batch.lenses', true);
  });

  it('show problems at their locations while typing', async () => {
    const editor = await open(
      'wrong.desk.md',
      `---\r\nmodle: a\r\nmodel: ${other.slice(0, -1)}\r\nparameters:\r\n  temperature: 3\r\nvariables:\r\n  unused: 1\r\n---\r\n{{topic}} {{selection}}\r\n`,
    );
    const { document } = editor;
    const found = [
      'key.unknown: modle',
      'parameter.out-of-bounds: 3',
      'variable.unused: unused',
      'variable.undeclared: {{topic}}',
      `model.unknown: ${other.slice(0, -1)}`,
    ];
    await problems(document, found);
    const bound = vscode.languages.getDiagnostics(document.uri).find(({ code }) => code === 'parameter.out-of-bounds');
    match(bound?.message ?? '', /temperature can't be greater than 2/);
    await editor.edit((edit) => edit.replace(document.lineAt(1).range, 'description: "'));
    await until(() => problemsOf(document).some((one) => one.startsWith('yaml.invalid')) || undefined, 'bad YAML');
    await vscode.commands.executeCommand('undo');
    await problems(document, found);
  });

  it('are checked whatever their content and location', async () => {
    const cases: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
      ['conflict.desk.md', 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n', ['file.conflict: <<<<<<< HEAD']],
      ['mark.desk.md', '\ufeff---\r\ntop: 1\r\n---\r\nx', ['key.unknown: top']],
      ['empty.desk.md', '', ['text.empty: ']],
      ['large.desk.md', `---\nmodle: x\n---\n${'x'.repeat(1_000_000)}`, ['file.too-large: -']],
    ];
    for (const [name, text, expected] of cases) {
      const document = await vscode.workspace.openTextDocument(write(name, text));
      await problems(document, expected);
    }
    const untitled = await vscode.workspace.openTextDocument(vscode.Uri.parse('untitled:new.desk.md'));
    await problems(untitled, ['text.empty: ']);
    const text = '---\ntop_p: 1\nparameters:\n  model: x\n---\nHello';
    const misplaced = await vscode.workspace.openTextDocument(write('misplaced.desk.md', text));
    await problems(misplaced, ['key.misplaced: top_p', 'key.misplaced: model']);
    deepEqual(
      vscode.languages.getDiagnostics(misplaced.uri).map(({ message }) => message),
      ['top_p belongs under parameters.', 'model belongs at the top level.'],
    );
    await shown(untitled.uri);
    const provider = vscode.workspace.registerTextDocumentContentProvider('old', {
      provideTextDocumentContent: () => 'modle {{x}}',
    });
    const old = await vscode.workspace.openTextDocument(vscode.Uri.parse('old:/a.desk.md'));
    deepEqual([await lensesOf(old.uri), problemsOf(old)], [[], []]);
    provider.dispose();
  });

  it('complete keys, parameters, models, values, and locations', async () => {
    const { document } = await open(
      'offers.desk.md',
      '---\nmodel: \nmod\nparameters:\n  te\n  max_tokens: \nvariables:\n  tone:\n    options: [a, "no"]\n    default: \n---\n{{t}} and \n',
    );
    await shown(document.uri);
    const labels = async (before: string) => (await offered(document, before)).map(({ label }) => label);
    deepEqual(await labels('model: \nmod'), ['description', 'models', 'system']);
    const temperature = (await offered(document, '  te')).find(({ label }) => label === 'temperature');
    const { documentation } = temperature ?? {};
    match(documentation instanceof vscode.MarkdownString ? documentation.value : '', /0 to 2/);
    ok((await labels('model: ')).includes(model));
    deepEqual(await labels('max_tokens: '), ['4096']);
    deepEqual(await labels('default: '), ['a', '"no"']);
    deepEqual(await labels('{{t'), ['{{tone}}', '{{selection}}', '{{file}}', '{{path}}', '{{language}}']);
    deepEqual(await offered(document, 'and ', ' '), []);
  });

  it('describe keys, parameters, models, and locations on hover', async () => {
    const { document } = await open(
      'hover.desk.md',
      `---\nmodel: ${model}\nparameters:\n  top_k: 5\nvariables:\n  tone: { description: How it sounds, options: [warm, dry] }\n---\n{{tone}} {{file}} {{who}}`,
    );
    await shown(document.uri);
    match(await hovered(document, 'parameters'), /Parameters that you don/);
    match(await hovered(document, 'top_k'), /most likely tokens[^]*0 to 50/);
    match(await hovered(document, model), /Purpose\\:.*chat/);
    match(await hovered(document, '{{tone}}'), /How it sounds[^]*One of warm\\, dry/);
    match(await hovered(document, '{{file}}'), /last active editor/);
    match(await hovered(document, '{{who}}'), /prompted for/);
  });

  it('offer quick fixes', async () => {
    const { document } = await open('mend.desk.md', '---\nmodle: x\n---\n{{topic}}');
    await problems(document, ['key.unknown: modle', 'variable.undeclared: {{topic}}']);
    for (const [at, title] of [
      ['modle', 'Change to model'],
      ['{{topic}}', 'Declare topic'],
    ] as const) {
      const action = (await fixes(document, at)).find((one) => one.title === title);
      ok(action?.edit && (await vscode.workspace.applyEdit(action.edit)), title);
    }
    equal(document.getText(), '---\nmodel: x\nvariables:\n  topic:\n---\n{{topic}}');
    await problems(document, ['model.unknown: x']);
  });

  describe('that are run', () => {
    let runtime: PromptsRuntime;
    const orders: ChatRequest[] = [];
    const asked: string[] = [];
    let answer = true;

    beforeEach(() => {
      orders.length = 0;
      asked.length = 0;
      answer = true;
    });
    afterEach(() => runtime.dispose());

    const start = () => {
      const chatService = { ...services.chatService, ask: async (order: ChatRequest) => void orders.push(order) };
      runtime = new PromptsRuntime({ ...services, chatService }, createLastEditor(), async (uri) => {
        asked.push(path.basename(uri.fsPath));
        return answer;
      });
    };
    /** Presses Enter in whatever is asked until it is done. */
    const accept = async (work: Promise<void>) => {
      let isDone = false;
      const done = work.finally(() => (isDone = true));
      await until(() => {
        if (!isDone) void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return isDone || undefined;
      }, 'the end of the steps');
      await done;
    };

    it("ask in the chat with selected values and the previous editor's text", async () => {
      start();
      const editor = await open('code.ts', 'const a = 1;\r\nconst b = 2;\r\n');
      editor.selection = new vscode.Selection(0, 0, 1, 7);
      const { document } = await open(
        'run.desk.md',
        `---\nmodel: ${other}\nparameters: { temperature: 0.2, prefill: "{{tone}}" }\nsystem: Be {{tone}}.\nvariables:\n  tone: { default: dry, options: [warm, dry] }\n  topic: a name\n---\n\n{{topic}} in {{language}}:\n{{selection}}\n{{file}} \\{{topic}}\n`,
      );
      await accept(runtime.run(document.uri));
      const file = path.join(folder, 'code.ts');
      deepEqual(orders, [
        {
          text: `a name in typescript:\nconst a = 1;\nconst b\n${file}\n\`\`\`typescript\nconst a = 1;\nconst b = 2;\n\`\`\` {{topic}}`,
          parameters: { system: 'Be dry.', temperature: 0.2, prefill: 'dry' },
          models: [other],
        },
      ]);
    });

    it('use the default model if none is specified, and the listed ones for a comparison', async () => {
      start();
      const plain = write('plain.desk.md', 'Hello.');
      await services.models.setDefault('chat', other);
      await runtime.run(plain);
      await services.models.setDefault('chat', undefined);
      await runtime.compare(write('two.desk.md', `---\nmodels: [${model}, ${other}]\n---\nHello.`));
      deepEqual(
        orders.map(({ models, text, parameters }) => [models, text, parameters]),
        [
          [[other], 'Hello.', {}],
          [[model, other], 'Hello.', {}],
        ],
      );
    });

    it('ask before a file other than a prompt file of the workspace is used', async () => {
      start();
      const root = mkdtempSync(path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'prompts-'));
      const inside = (name: string) => vscode.Uri.file(path.join(root, name));
      try {
        writeFileSync(inside('own.desk.md').fsPath, `---\nmodel: ${other}\n---\nMine.`);
        writeFileSync(inside('plain.md').fsPath, `---\nmodel: ${other}\n---\nA note.`);
        const outside = write('outside.desk.md', `---\nmodel: ${other}\n---\nFar away.`);
        symlinkSync(outside.fsPath, inside('linked.desk.md').fsPath);
        const texts = () => orders.map(({ text }) => text);
        await runtime.run(inside('own.desk.md'));
        deepEqual([texts(), asked], [['Mine.'], []]);
        answer = false;
        for (const uri of [outside, inside('linked.desk.md'), inside('plain.md')]) {
          for (const act of ['run', 'compare', 'addBatchLine', 'newFromRows'] as const) await runtime[act](uri);
        }
        equal(asked.length, 12);
        deepEqual(texts(), ['Mine.']);
        answer = true;
        await runtime.run(outside);
        await runtime.run(outside);
        deepEqual([texts(), asked.slice(12)], [['Mine.', 'Far away.', 'Far away.'], ['outside.desk.md']]);
      } finally {
        rmSync(root, { recursive: true });
      }
    });

    it("explain why they can't run, and send no request", async () => {
      start();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const refused = (name: string, text: string, why: RegExp) => rejects(runtime.run(write(name, text)), why, name);
      await refused('a.desk.md', '---\nmodel: x\n---\n', /Can't run a yet: Line 3: Enter a prompt below/);
      await refused('b.desk.md', 'x\n<<<<<<< a\n=======\n>>>>>>> b\n', /Line 2: Unresolved merge conflict/);
      await refused('c.desk.md', '{{selection}}', /Open an editor first/);
      await open('bare.ts', 'const a = 1;');
      await refused('d.desk.md', '{{selection}}', /No selection in .*bare\.ts/);
      await open('.env', 'KEY=secret');
      await refused('e.desk.md', '{{file}}', /Couldn't use .*\.env/);
      symlinkSync(path.join(folder, '.env'), path.join(folder, 'notes.txt'));
      await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, 'notes.txt')), { preview: false });
      await refused('e.desk.md', '{{file}}', /Couldn't use .*notes\.txt/);
      await open('long.txt', 'x'.repeat(400_000));
      await refused('f.desk.md', '{{file}}', /The prompt is too long/);
      await refused('g.desk.md', '---\nvariables: { a: "" }\n---\n{{a}}', /The prompt is empty/);
      await rejects(runtime.run(vscode.Uri.file(path.join(folder, 'gone.desk.md'))), /Couldn't read the prompt file/);
      const begun = write('h.desk.md', '---\nparameters: { prefill: Dear }\n---\nHello');
      for (const act of ['addBatchLine', 'newFromRows'] as const)
        await rejects(runtime[act](begun), /don't support prefill/);
      deepEqual(orders, []);
    });

    it('send no request without a key or after a canceled step', async () => {
      start();
      const uri = write('asks.desk.md', '{{topic}}');
      const left = runtime.run(uri);
      await leaveQuickOpen(left);
      await beginAnew(services);
      await rejects(runtime.compare(uri), /no account/);
      await signInAnew(services, 'prompting', demo);
      deepEqual(orders, []);
    });

    it('become a request in a batch file, and requests of rows', async () => {
      start();
      const uri = write(
        'greet me.desk.md',
        `---\nmodel: ${model}\nparameters: { top_p: 0.5, stop_sequences: [END] }\nsystem: Be {{tone}}.\nvariables: { tone: kind, name: Ada, who: [all] }\n---\nGreet {{name}} for {{who}} \\{{name}}.`,
      );
      const rows = write('people.csv', 'name\nBo\nCy\n');
      const { showOpenDialog } = vscode.window;
      Object.assign(vscode.window, { showOpenDialog: async () => [rows] });
      try {
        await accept(runtime.newFromRows(uri));
      } finally {
        Object.assign(vscode.window, { showOpenDialog });
      }
      const requests = readFileSync(path.join(folder, 'people.requests.jsonl'), 'utf8').trim().split('\n');
      deepEqual(JSON.parse(requests[1] ?? ''), {
        custom_id: 'row-2',
        method: 'POST',
        url: '/v1/chat/completions',
        body: {
          model,
          messages: [
            { role: 'system', content: 'Be kind.' },
            { role: 'user', content: 'Greet Cy for all {{name}}.' },
          ],
          top_p: 0.5,
          stop: ['END'],
        },
      });
      equal(requests.length, 2);
    });
  });

  it('start from an example without problems', async () => {
    await vscode.commands.executeCommand('inferenceDesk.prompts.new');
    const { document } = vscode.window.activeTextEditor!;
    match(document.uri.path, /prompt\.desk\.md$/);
    await shown(document.uri);
    await problems(document, []);
    match(document.getText(), new RegExp(`model: .*\n[^]*{{audience}}[^]*{{selection}}`));
  });
});
