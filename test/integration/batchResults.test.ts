import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { makeRetryFolder } from '../../src/core/batch/results/retries';
import { createRunFolder, readRunFolder, updateRun } from '../../src/core/batch/results/runFolder';
import { createLinkedRuns, noAnswers } from '../../src/features/batchResults/answers/linkedRuns';
import { CompareController } from '../../src/features/batchResults/compare/compareController';
import { runItem } from '../../src/features/batchResults/flows/pickRun';
import { retryRun, askRetryChanges } from '../../src/features/batchResults/flows/retryFlow';
import { ResultsController } from '../../src/features/batchResults/page/resultsController';
import { createOpenRuns } from '../../src/features/batchResults/run/openRuns';
import { Runs } from '../../src/features/batchResults/logic/runs';
import type { ResultsChoice } from '../../src/protocol/batchResults';
import { createRetryLineage } from '../../src/services/batchFiles/retryLineage';
import { resultsRoot } from '../../src/services/batches/resultsRoot';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { createPageEnd } from '../support/pageEnd';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const request = (id: string) => requestLine(id, `Hello ${id}`);
const answer = (id: string, content: string) =>
  JSON.stringify({
    custom_id: id,
    response: { body: { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] } },
  });

const lines = 50_000;
const attack = '[run](command:workbench.action.quit) <img src=x> $(zap) **bold**';

describe('the results of a batch in the editor', function () {
  this.timeout(120_000);
  let services: Services;
  let folder: string;
  let input: vscode.Uri;
  let run: string;
  before(async () => {
    services = await deskServices();
    folder = mkdtempSync(path.join(tmpdir(), 'results-'));
    input = vscode.Uri.file(path.join(folder, 'many.jsonl'));
    const ids = Array.from({ length: lines }, (_, index) => `r-${index + 1}`);
    writeFileSync(input.fsPath, ids.map((id) => `${request(id)}\n`).join(''));
    const made = await createRunFolder(resultsRoot(services), {
      kind: 'local',
      name: 'many',
      createdAt: Date.now(),
      input: { path: input.fsPath, sha256: '', bytes: 0, requests: lines },
      files: { output: 'output.jsonl' },
      ended: true,
    });
    run = made.path;
    const answered = ids.filter((id) => id !== 'r-3');
    const output = answered.map((id) => `${answer(id, id === 'r-2' ? attack : `answer to ${id}`)}\n`);
    writeFileSync(path.join(run, 'output.jsonl'), output.toReversed().join(''));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => {
    rmSync(folder, { recursive: true });
    rmSync(run, { recursive: true });
  });

  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
  const hintsIn = (first: number, last: number) =>
    vscode.commands.executeCommand<readonly vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      input,
      new vscode.Range(first, 0, last, 0),
    );
  const labelOf = ({ label }: vscode.InlayHint) => (typeof label === 'string' ? label : label[0]?.value);

  let runsMade = 0;
  /** A run on this machine with these answers; `failed` and `missing` have none. */
  const makeRun = async (
    name: string,
    answers: Readonly<Record<string, string>>,
    { failed = [], missing = [] }: Readonly<Partial<Record<'failed' | 'missing', readonly string[]>>> = {},
  ) => {
    const file = path.join(folder, `${name}.jsonl`);
    const linesOf = (ids: readonly string[], line: (id: string) => string) => ids.map((id) => `${line(id)}\n`).join('');
    const ids = [...Object.keys(answers), ...failed, ...missing].toSorted();
    const text = linesOf(ids, request);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const { path: run } = await createRunFolder(resultsRoot(services), {
      kind: 'local',
      name,
      createdAt: Date.now() + runsMade++,
      input: { path: file, sha256, bytes: text.length, requests: ids.length },
      files: { output: 'output.jsonl', ...(failed.length > 0 && { errors: 'errors.jsonl' }) },
      ended: true,
    });
    const error = { code: 'too_long', message: 'The prompt is too long.' };
    writeFileSync(file, text);
    writeFileSync(path.join(run, 'requests.jsonl'), text);
    writeFileSync(
      path.join(run, 'output.jsonl'),
      linesOf(Object.keys(answers), (id) => answer(id, answers[id]!)),
    );
    writeFileSync(
      path.join(run, 'errors.jsonl'),
      linesOf(failed, (id) => JSON.stringify({ custom_id: id, response: null, error })),
    );
    return { uri: vscode.Uri.file(file), folder: run };
  };

  it('are shown at the start of visible long lines in a file of 50,000, and not for edited IDs', async () => {
    const document = await vscode.workspace.openTextDocument(input);
    const editor = await vscode.window.showTextDocument(document);
    const first = await until(async () => {
      const hints = await hintsIn(0, 10);
      return hints.length > 0 ? hints : undefined;
    }, 'hints');
    const cut = `→ ${attack.slice(0, 39)}…`;
    deepEqual(first.slice(0, 4).map(labelOf), ['→ answer to r-1', cut, 'no response', '→ answer to r-4']);
    ok(first.every(({ position }) => position.character === 0));
    equal(labelOf((await hintsIn(49_990, 49_995))[0]!), '→ answer to r-49991');
    // Whatever is asked for at once, only a screen or two is answered.
    ok((await hintsIn(0, lines)).length <= 501);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 14, 0, 17), 'new'));
    const edited = await hintsIn(0, 1);
    equal(
      edited.find(({ position }) => position.line === 0),
      undefined,
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('are shown completely on hover as plain text, in which only our own link works', async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(input));
    const hovers = await until(async () => {
      const all = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
        'vscode.executeHoverProvider',
        input,
        new vscode.Position(1, 16),
      );
      return all.find(({ contents }) =>
        contents.some((one) => (one as vscode.MarkdownString).value.includes('Response')),
      );
    }, 'a hover');
    const texts = hovers.contents.map((one) => one as vscode.MarkdownString);
    const said = texts.find(({ value }) => value.includes('zap'));
    ok(said);
    ok(!said.isTrusted && !said.supportHtml);
    ok(said.value.includes(String.raw`\[run\]\(command`), said.value);
    const link = texts.find(({ value }) => value.includes('batches.openResults'));
    deepEqual(link?.isTrusted, { enabledCommands: ['inferenceDesk.batches.openResults'] });
  });

  it('are marked on lines that have changed since, and failures are problems until the line is edited', async () => {
    const { uri, folder: made } = await makeRun('few', { a: 'of a', c: 'of c' }, { failed: ['b'] });
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const reported = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Run "few"');
    const [problem] = await until(() => (reported().length > 0 ? reported() : undefined), 'the problem');
    deepEqual(
      [problem?.message, problem?.code, problem?.severity, problem?.range.start.line],
      ['The prompt is too long.', 'too_long', vscode.DiagnosticSeverity.Information, 1],
    );
    const labels = async () => {
      const range = new vscode.Range(0, 0, 9, 0);
      const command = 'vscode.executeInlayHintProvider';
      const hints = await vscode.commands.executeCommand<readonly vscode.InlayHint[]>(command, uri, range);
      return hints.map((hint) => `${hint.position.line} ${labelOf(hint)}`);
    };
    // Above the line of the cursor too, but not above the first, where stands what can be done with the file.
    const lenses = async (line: number) => {
      editor.selection = new vscode.Selection(line, 0, line, 0);
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
      return all.map(({ range, command }) => `${range.start.line} ${command?.title}`);
    };
    await until(async () => (await lenses(2)).includes('2 → of c') || undefined, 'the answer above its line');
    await until(
      async () => (await lenses(0)).some((title) => /^0 Test Request($| \()/.test(title)) || undefined,
      'what can be done with the first',
    );
    ok(!(await lenses(0)).includes('0 → of a'));
    const ofB = '✗ too_long · The prompt is too long.';
    deepEqual(await labels(), ['0 → of a', `1 ${ofB}`, '2 → of c']);
    const hello = editor.document.lineAt(2).text.indexOf('Hello');
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), `${request('new')}\n`);
      edit.replace(new vscode.Range(2, hello, 2, hello + 5), 'Goodbye');
    });
    deepEqual(await labels(), ['1 → of a', `2 ${ofB}`, '3 → line changed · of c']);
    equal(reported()[0]?.range.start.line, 2);
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 3), 'x'));
    deepEqual(reported(), []);
    await vscode.commands.executeCommand('undo');
    equal(reported()[0]?.range.start.line, 2);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    rmSync(made, { recursive: true });
  });

  it('are offered with outcome, count, model, and time', () => {
    const known = { kind: 'batch' as const, name: 'many', createdAt: Date.now(), files: {} };
    const input = { path: '/a/many.jsonl', sha256: '', bytes: 0, requests: 50, model: 'deepseek-ai/DeepSeek-V3' };
    const runs = [
      { ...known, input, ended: true, status: 'expired', counts: { answered: 40, failed: 2 } },
      {
        ...known,
        input,
        ended: true,
        status: 'completed',
        counts: { answered: 50, failed: 0 },
        model: 'Qwen/Qwen3-32B',
      },
      { ...known, input, ended: false },
      { ...known, kind: 'local' as const, ended: true },
    ];
    const items = runs.map((run) => runItem({ path: '/r', run, isGuessed: false }));
    deepEqual(
      items.map(({ description }) => description),
      [
        'expired · 40 of 50, 2 failed · deepseek-ai/DeepSeek-V3',
        'completed · 50 of 50 · Qwen/Qwen3-32B',
        'in progress · 50 requests · deepseek-ai/DeepSeek-V3',
        'completed',
      ],
    );
    ok(items.every(({ detail }) => detail?.includes(String(new Date().getFullYear()))));
  });

  it('share one tab per run, however it is named', async () => {
    await vscode.commands.executeCommand('inferenceDesk.batches.openResults', run);
    await until(() => tabs().find((label) => label === 'Results of many.jsonl'), 'the page');
    await vscode.commands.executeCommand(
      'inferenceDesk.batches.openResults',
      vscode.Uri.file(path.join(run, 'output.jsonl')),
    );
    await vscode.commands.executeCommand('inferenceDesk.batches.openResults', run, 'r-7');
    equal(tabs().filter((label) => label.startsWith('Results of')).length, 1);
  });

  it('include the responses of retries, on the lines and on the page of the run', async () => {
    const file = path.join(folder, 'again.jsonl');
    writeFileSync(file, ['a', 'b', 'c'].map((id) => `${request(id)}\n`).join(''));
    const known = { kind: 'local', files: { output: 'output.jsonl' }, ended: true } as const;
    const root = resultsRoot(services);
    const jobId = randomUUID();
    const input = { path: file, sha256: '', bytes: 0, requests: 3 };
    const first = await createRunFolder(root, { ...known, name: 'again', createdAt: 1, jobId, input });
    const made = await makeRetryFolder(first.path, () => false);
    await updateRun(made, { ...known, name: 'again', createdAt: 2 });
    const older = await createRunFolder(root, { ...known, name: 'older', createdAt: 3, retryOf: jobId });
    const answers = [
      [first.path, 'a'],
      [made, 'b'],
      [older.path, 'c'],
    ] as const;
    for (const [at, id] of answers) writeFileSync(path.join(at, 'output.jsonl'), `${answer(id, `of ${id}`)}\n`);
    const uri = vscode.Uri.file(file);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const hints = () =>
      vscode.commands.executeCommand<readonly vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        uri,
        new vscode.Range(0, 0, 9, 0),
      );
    const shown = await until(async () => {
      const all = await hints();
      return all.length > 0 ? all : undefined;
    }, 'hints');
    deepEqual(shown.map(labelOf), ['→ of a', '→ of b', '→ of c']);
    for (const at of [first.path, made, older.path, path.join(made, 'output.jsonl')])
      await vscode.commands.executeCommand('inferenceDesk.batches.openResults', at);
    const results = () => tabs().filter((label) => label.startsWith('Results of'));
    deepEqual(await until(() => (results().length > 0 ? results() : undefined), 'the page'), [
      'Results of again.jsonl',
    ]);
    rmSync(first.path, { recursive: true });
    rmSync(older.path, { recursive: true });
  });

  it('are on a page with requests next to responses, and offer retries', async () => {
    const made = await makeRun('paged', { a: 'of a', c: 'of c' }, { failed: ['b'] });
    const runs = createOpenRuns(services);
    const open = runs.open({ kind: 'folder', folder: made.folder });
    const end = createPageEnd<'batchResults'>();
    const shown = new ResultsController(services, { panel: end.panel, id: 'paged' }, open, () => Promise.resolve());
    const { page } = end;
    const { head } = await page.call('results/ready', {});
    deepEqual([head.name, head.facts, head.waiting], ['paged.jsonl', 'run on this machine · 3 requests', undefined]);
    const { summary } = await page.call('results/load', { again: false });
    const failed = { label: 'Retry 1 Failed', short: 'Retry 1', which: 'failed' };
    deepEqual([summary?.counts.map(({ count }) => count), summary?.retry], [[3, 2, 1], { all: failed, failed }]);
    const all = {
      tab: 'all',
      group: null,
      query: '',
      sort: 'run:line',
      descending: false,
      isUnexpected: false,
      isDifferent: false,
      groupBy: null,
      closed: [],
    } as const;
    const said = async (choice: Partial<ResultsChoice>) =>
      (await page.call('results/arrange', { ...all, ...choice })).text;
    deepEqual([await said({ tab: 'missing' }), await said({ query: 'of a' }), await said({})], ['', '1 of 3', '']);
    const { rows } = await page.call('results/rows', { from: 0, count: 3, columns: ['run:answer'] });
    const details = await page.call('results/details', { row: rows[0]!.row });
    deepEqual(
      [details.messages, details.answers.map(({ text }) => text), details.facts],
      [
        [{ label: 'user', text: 'Hello a' }],
        ['of a'],
        [
          { name: 'Model', value: 'm' },
          { name: 'Finish reason', value: 'stop' },
          { name: 'Location', value: 'output.jsonl, line 1' },
        ],
      ],
    );
    const moved = path.join(folder, 'moved.jsonl');
    renameSync(made.uri.fsPath, moved);
    await open.run.linkInput(moved);
    equal((await readRunFolder(made.folder))?.run.input?.path, moved);
    for (const one of [shown, runs]) one.dispose();
    rmSync(made.folder, { recursive: true });
  });

  it('are retried with a higher limit if they are truncated', async () => {
    const made = await makeRun('short', { a: 'of a' });
    const output = path.join(made.folder, 'output.jsonl');
    writeFileSync(output, readFileSync(output, 'utf8').replace('"stop"', '"length"'));
    const runs = createOpenRuns(services);
    const open = runs.open({ kind: 'folder', folder: made.folder });
    // What follows asks whether to run them.
    void retryRun(services, open, 'truncated').catch(() => undefined);
    const written = path.join(made.folder, 'retries', '1', 'requests.jsonl');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return existsSync(written) ? true : undefined;
    }, 'the requests of the retry');
    const { body } = JSON.parse(readFileSync(written, 'utf8')) as { readonly body: object };
    deepEqual(body, { ...(JSON.parse(request('a')) as { readonly body: object }).body, max_tokens: 1024 });
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    runs.dispose();
    rmSync(made.folder, { recursive: true });
  });

  it("can be retried up to the model's limit", async () => {
    const { createQuickPick } = vscode.window;
    const shown: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    const make = () => {
      const pick = createQuickPick();
      shown.push(pick);
      return pick;
    };
    Object.assign(vscode.window, { createQuickPick: make });
    const asked = async (output: number) => {
      const models = { state: { models: [{ id: 'm', maxOutputTokens: 1500 }] } } as unknown as Services['models'];
      const truncated = { count: 1, models: ['m'], limit: output, input: 3, output };
      const answered = askRetryChanges(models, { rejected: 0, changes: [], truncated });
      const { placeholder, items } = shown.at(-1)!;
      shown.at(-1)!.hide();
      equal(await answered, undefined);
      return [placeholder, ...items.map(({ label }) => label)];
    };
    try {
      const others = ['Set Another Limit…', 'Retry Without Changes'];
      deepEqual(await asked(600), [
        'Token limit reached: 600. Select a new limit.',
        'Retry with Up to 1,200 Tokens',
        ...others,
      ]);
      deepEqual(await asked(1000), [
        'Token limit reached: 1,000. Select a new limit.',
        'Retry with Up to 1,500 Tokens',
        ...others,
      ]);
      deepEqual(await asked(1500), [
        "Model's token limit: 1,500. Shorten the prompts, or use another model.",
        ...others,
      ]);
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
  });

  it('are shown to all waiting pages after a reload', async () => {
    const made = await makeRun('again', { a: 'of a' });
    const runs = createOpenRuns(services);
    const { reading } = runs.open({ kind: 'folder', folder: made.folder });
    const read = async (again: boolean) => (await reading.load(again, () => undefined))?.answered;
    deepEqual(await Promise.all([read(false), read(true), read(true)]), [1, 1, 1]);
    runs.dispose();
    rmSync(made.folder, { recursive: true });
  });

  it('are sent to a page that requests one during a reload', async () => {
    const made = await makeRun('asked', { a: 'of a' });
    const runs = createOpenRuns(services);
    const { reading } = runs.open({ kind: 'folder', folder: made.folder });
    await reading.load(false, () => undefined);
    let isReading = true;
    const read = reading.load(true, () => undefined).finally(() => (isReading = false));
    // One call is under way whenever that begins.
    while (isReading) equal((await reading.call('details', { row: 0 })).details.customId, 'a');
    await read;
    runs.dispose();
    rmSync(made.folder, { recursive: true });
  });

  it('come from the newest run unless another run or none is selected', async () => {
    const linked = createLinkedRuns(services, new Runs(services));
    const [older, newer] = [await makeRun('chosen', { a: 'old' }), await makeRun('chosen', { a: 'new' })];
    let reported = 0;
    linked.onDidChange(() => (reported += 1));
    await linked.refresh();
    await linked.refresh();
    const { fsPath } = newer.uri;
    const of = [linked.of(fsPath).map((found) => found.path), linked.folderOf(fsPath), reported];
    deepEqual(of, [[newer.folder, older.folder], newer.folder, 1]);
    await linked.choose(fsPath, older.folder);
    deepEqual([linked.folderOf(fsPath), reported], [older.folder, 2]);
    await linked.choose(fsPath, noAnswers);
    equal(linked.folderOf(fsPath), undefined);
    await linked.choose(fsPath, undefined);
    equal(linked.folderOf(fsPath), newer.folder);
    linked.dispose();
    for (const run of [older, newer]) rmSync(run.folder, { recursive: true });
  });

  it('follow their batch file when it is renamed, or moved with its folder', async () => {
    const linked = createLinkedRuns(services, new Runs(services));
    const { uri, folder: own } = await makeRun('before', { a: 'one' });
    await linked.refresh();
    await linked.choose(uri.fsPath, own);
    const move = async (from: vscode.Uri, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(from, vscode.Uri.file(to));
      ok(await vscode.workspace.applyEdit(edit));
    };
    const renamed = path.join(folder, 'in', 'after.jsonl');
    await move(uri, renamed);
    await until(() => linked.folderOf(renamed), 'the run of the renamed file');
    await move(vscode.Uri.file(path.dirname(renamed)), path.join(folder, 'moved'));
    const moved = path.join(folder, 'moved', 'after.jsonl');
    await until(() => linked.folderOf(moved), 'the run of the moved file');
    deepEqual([linked.chosen(moved), linked.of(renamed)], [own, []]);
    linked.dispose();
    rmSync(own, { recursive: true });
  });

  it('of two runs can be compared, even if a request failed or is missing in one of them', async () => {
    const one = await makeRun('one', { a: 'of a', b: 'of b', c: 'of c' });
    const two = await makeRun('two', { a: 'of A' }, { failed: ['b'] });
    const end = createPageEnd<'batchCompare'>();
    const runs = createOpenRuns(services);
    const targets = [one, two].map((run) => ({ kind: 'folder', folder: run.folder }) as const);
    const shown = new CompareController(
      services,
      { panel: end.panel, id: 'compared' },
      { runs, targets, store: async () => {} },
    );
    const { page } = end;
    const ready = await page.call('compare/ready', {});
    deepEqual(
      ready.runs.map(({ letter, facts }) => [letter, facts.split(' · ').slice(0, 2).join(' · ')]),
      [
        ['A', 'one · direct'],
        ['B', 'two · direct'],
      ],
    );
    await page.call('compare/load', { again: false });
    const { summary } = await page.call('compare/arrange', {
      reference: 0,
      by: null,
      tab: 'all',
      query: '',
      sort: 'run:line',
      descending: false,
      isLoose: false,
      groupBy: null,
      closed: [],
    });
    equal(summary.facts, '3 rows · 1 answered by all');
    equal(summary.runs[1]?.difference, '1 changed, 0 the same');
    const { rows } = await page.call('compare/rows', { from: 0, count: 3, columns: ['run:answer'] });
    const sides = async ({ row }: { readonly row: number }) => {
      const details = await page.call('compare/details', { row });
      return details.sides.map(({ pieces }) => pieces.map(({ text }) => text).join(''));
    };
    deepEqual(await Promise.all(rows.map(sides)), [
      ['of a', 'of A'],
      ['of b', 'too_long · The prompt is too long.'],
      ['of c', 'not in this run'],
    ]);
    for (const opened of [shown, runs]) opened.dispose();
    for (const run of [one, two]) rmSync(run.folder, { recursive: true });
  });

  it('of runs with the same model are labeled by mode and time', async () => {
    const made = [
      await makeRun('same', { a: '1' }),
      await makeRun('same', { a: '2' }),
      await makeRun('same', { a: '3' }),
    ];
    const [batch, now, earlier] = made;
    await updateRun(batch!.folder, { kind: 'batch', model: 'm' });
    await updateRun(now!.folder, { model: 'm', createdAt: Date.UTC(2026, 0, 2) });
    await updateRun(earlier!.folder, { model: 'm', createdAt: Date.UTC(2026, 0, 3) });
    const end = createPageEnd<'batchCompare'>();
    const runs = createOpenRuns(services);
    const targets = made.map(({ folder }) => ({ kind: 'folder', folder }) as const);
    const source = { runs, targets, store: async () => {} };
    const shown = new CompareController(services, { panel: end.panel, id: 'alike' }, source);
    const names = (await end.page.call('compare/ready', {})).runs.map(({ name }) => name);
    equal(names[0], 'm · batch');
    match(names[1] ?? '', /^m · direct · .+/);
    equal(new Set(names).size, 3);
    for (const opened of [shown, runs]) opened.dispose();
    for (const { folder } of made) rmSync(folder, { recursive: true });
  });

  it('of a retry are recognized as such', async () => {
    const lineage = createRetryLineage(services.context.globalState);
    await lineage.remember('/a/retry.jsonl', { retryOf: 'job-1', sha256: 'ab' });
    deepEqual(lineage.of('/a/retry.jsonl'), { retryOf: 'job-1', sha256: 'ab' });
    equal(lineage.of('__proto__'), undefined);
  });
});
