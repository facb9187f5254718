import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { modelsForJob } from '../../src/core/catalogue/jobs';
import { EvalsRuntime } from '../../src/features/evals/evalsRuntime';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

describe('eval files', function () {
  this.timeout(120_000);
  let folder: string;
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'evals-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'evals', demo);
    await services.models.refresh();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, name)), { preview: false });
  };
  const lensesOf = async (uri: vscode.Uri) =>
    (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9)).map(
      ({ command }) => command?.title ?? '',
    );

  it('report executable code as information, and missing files as errors', async () => {
    const text = `prompts: ['{{q}}', file://gone.txt]\nproviders: [openai:m, 'python:x.py']\ntests: [{ vars: { q: a }, assert: [{ type: javascript, value: 'x' }] }]`;
    const { document } = await open('marked.promptfooconfig.yaml', text);
    const found = await until(() => {
      const all = vscode.languages.getDiagnostics(document.uri);
      return all.length > 0 ? all : undefined;
    }, 'the diagnostics');
    deepEqual(
      found.map(({ severity, range }) => [severity, document.getText(range)]),
      [
        [vscode.DiagnosticSeverity.Error, 'file://gone.txt'],
        [vscode.DiagnosticSeverity.Information, `'python:x.py'`],
        [vscode.DiagnosticSeverity.Information, `{ type: javascript, value: 'x' }`],
      ],
    );
  });

  it('are checked again when a referenced file is saved', async () => {
    const text = `prompts: ['{{q}}']\nproviders: [openai:m]\ntests: file://later.csv`;
    const { document } = await open('rows.promptfooconfig.yaml', text);
    const problems = () => vscode.languages.getDiagnostics(document.uri);
    await until(() => problems().length === 1 || undefined, 'the problem');
    const rows = await open('later.csv', 'q\n');
    await rows.edit((edit) => edit.insert(new vscode.Position(1, 0), 'a\nb\n'));
    await rows.document.save();
    await until(() => problems().length === 0 || undefined, 'no problem');
    await until(
      async () => (await lensesOf(document.uri))[2] === 'Rows: 2, variants: 1, requests: 2' || undefined,
      'rows',
    );
  });

  it('show their size, price, and detectable difference above the first line', async () => {
    const { document } = await open(
      'big.promptfooconfig.yaml',
      `prompts: ['{{a}}{{b}}', '{{b}}{{a}}']\nproviders: [openai:chat:m]\ntests: [{ vars: { a: [${Array.from({ length: 15 }, (_, n) => n).join()}], b: [${Array.from({ length: 10 }, (_, n) => n).join()}] } }]`,
    );
    const titles = await until(async () => {
      const all = await lensesOf(document.uri);
      return all.length > 0 ? all : undefined;
    }, 'the lenses');
    deepEqual(titles.slice(0, 3), ['Smoke Test', 'Run Eval…', 'Rows: 150, variants: 2, requests: 300']);
    ok(titles.includes("Differences below 8.8 percentage points can't be detected."), titles.join('\n'));
  });

  it('find the planted regression of the sample', async () => {
    for (const name of ['promptfooconfig.yaml', 'tickets.csv'])
      cpSync(path.join(services.context.extensionPath, 'media/samples', name), path.join(folder, name));
    const uri = vscode.Uri.file(path.join(folder, 'promptfooconfig.yaml'));
    const questions: string[] = [];
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, async (question, detail) => {
      questions.push(`${question}\n${detail}`);
      return 'Run Now';
    });
    const report = path.join(folder, 'promptfooconfig.eval/report.md');
    const { activity } = services;
    const inProgress = new Set<string>();
    const listening = activity.onDidChange(() => {
      for (const { kind, label, subject } of activity.running) inProgress.add(`${kind}: ${label}, ${subject}`);
    });
    await runtime.smokeTest(uri);
    listening.dispose();
    deepEqual([...inProgress], ['eval: Running an eval, Support triage']);
    deepEqual(activity.running, []);
    match(questions[0]!, /^Run a smoke test on the first rows now\?\nRows: 3, variants: 2, requests: 6\n/);
    match(readFileSync(report, 'utf8'), /Can't tell/);
    await runtime.run(uri);
    match(
      readFileSync(report, 'utf8'),
      /^\*\*Worse\*\*: three labels compared with four labels\. .*Rows: 60, better: 0, worse: 15\n/,
    );
    const tab = await until(
      () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.startsWith('Eval: ')),
      'the results',
    );
    equal(tab.label, 'Eval: Support triage');
    runtime.dispose();
  });

  it('are created from a batch file, a table, and a prompt file, and run without edits', async () => {
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, async () => 'Run Now');
    for (const [name, made] of [
      ['requests.jsonl', 'requests'],
      ['reviews.csv', 'reviews'],
      ['reply.desk.md', 'reply'],
    ] as const) {
      const source = path.join(folder, name);
      cpSync(path.join(services.context.extensionPath, 'media/samples', name), source);
      await runtime.create(vscode.Uri.file(source));
      const { document } = vscode.window.activeTextEditor!;
      equal(path.basename(document.uri.fsPath), `${made}.promptfooconfig.yaml`);
      await runtime.smokeTest(document.uri);
      const report = readFileSync(path.join(folder, `${made}.promptfooconfig.eval/report.md`), 'utf8');
      match(report, /\| 3 \| 100% \([\d.%– ]+\) \| 0 \| 0 \|/, `${name}: ${report}`);
      await runtime.create(vscode.Uri.file(source));
      equal(path.basename(vscode.window.activeTextEditor!.document.uri.fsPath), `${made}-2.promptfooconfig.yaml`);
    }
    const rows = path.join(folder, 'requests.rows.jsonl');
    rmSync(rows);
    await runtime.create(vscode.Uri.file(path.join(folder, 'requests.jsonl')));
    equal(path.basename(vscode.window.activeTextEditor!.document.uri.fsPath), 'requests-3.promptfooconfig.yaml');
    equal(existsSync(rows), false);
    await rejects(runtime.create(vscode.Uri.file(path.join(folder, 'x.txt'))), { title: "Couldn't create the eval" });
    runtime.dispose();
  });

  it('suggest keys, types, and models with descriptions', async () => {
    const text = `prompts: ['{{q}}']\nproviders: [openai:chat:m]\ntests: [{ vars: { q: a }, assert: [{ type: icontains }] }]\n`;
    const { document } = await open('help.promptfooconfig.yaml', text);
    const at = (word: string) => document.positionAt(text.indexOf(word) + 3);
    const offered = async (position: vscode.Position) =>
      (
        await vscode.commands.executeCommand<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          document.uri,
          position,
        )
      ).items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    const [model] = modelsForJob('chat', (await services.models.ready()).models, []);
    ok((await offered(at('icontains'))).includes('llm-rubric'));
    ok((await offered(at('openai'))).includes(`openai:chat:${model!.id}`));
    ok((await offered(document.positionAt(text.length))).includes('defaultTest'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at('icontains'),
    );
    const words = hovers
      .flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value))
      .join('');
    match(words, /contains this text\\, ignoring case/);
  });

  it('keep the model that graded a run when its results are shown', async () => {
    const { models, defaults } = await services.models.ready();
    const [first, other] = modelsForJob('chat', models, []).map(({ id }) => id);
    ok(first !== undefined && other !== undefined);
    await services.models.setDefault('chat', first);
    const { document } = await open(
      'graded.promptfooconfig.yaml',
      `prompts: ['Say {{q}}', 'Tell {{q}}']\nproviders: ['openai:chat:${first}']\ntests: [{ vars: { q: a }, assert: [{ type: llm-rubric, value: It is polite }] }]`,
    );
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, () =>
      Promise.resolve('Run Now'),
    );
    const manifest = path.join(folder, 'graded.promptfooconfig.eval/manifest.json');
    const judge = () => (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly judge?: string }).judge;
    await runtime.run(document.uri);
    equal(judge(), first);
    await services.models.setDefault('chat', other);
    await runtime.results(document.uri);
    equal(judge(), first);
    await services.models.setDefault('chat', defaults.chat);
    runtime.dispose();
  });

  it('state the price before a model grades the results, and show the results in any case', async () => {
    const { models } = await services.models.ready();
    const [model = ''] = modelsForJob('chat', models, []).map(({ id }) => id);
    const text = (value: string) =>
      `prompts: ['Name {{q}}']\nproviders: ['openai:chat:${model}']\ntests: [{ vars: { q: a }, assert: [{ type: llm-rubric, value: ${value} }] }]`;
    const { document } = await open('asked.promptfooconfig.yaml', text('It is polite'));
    const answers: (string | undefined)[] = ['Run Now', undefined, 'Run Now'];
    const questions: string[] = [];
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, async (question, detail) => {
      questions.push(`${question}\n${detail}`);
      return answers.shift();
    });
    const sent = async () =>
      (await demo.requests()).filter(({ method, path: at }) => method === 'POST' && !at.startsWith('/_control')).length;
    const files = () =>
      readdirSync(path.join(folder, 'asked.promptfooconfig.eval')).filter((name) => name.startsWith('requests-'))
        .length;
    await runtime.run(document.uri);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text('It is short'));
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const before = [await sent(), files()];
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
    await runtime.results(document.uri);
    deepEqual([await sent(), files()], before);
    await until(() => tabs().some((label) => label.startsWith('Eval: ')) || undefined, 'the results');
    match(questions[1]!, /^Have a model grade the responses\?\nModel: .+\nRemaining requests: 1/);
    await runtime.results(document.uri);
    deepEqual([await sent(), files()], [before[0]! + 1, before[1]! + 1]);
    await runtime.results(document.uri);
    equal(questions.length, 3);
    runtime.dispose();
  });

  it('are not run if they have errors', async () => {
    const { document } = await open(
      'broken.promptfooconfig.yaml',
      'prompts: [file://gone.txt]\nproviders: [openai:m]\ntests: [{}]',
    );
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, () =>
      Promise.resolve('Run Now'),
    );
    await rejects(runtime.run(document.uri), /The file has errors/);
    runtime.dispose();
  });
});
