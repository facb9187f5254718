import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createRunFolder } from '../../src/core/batch/results/runFolder';
import { createRetryLineage } from '../../src/platform/retryLineage';
import { resultsRoot } from '../../src/platform/resultsRoot';
import type { Services } from '../../src/services';
import { deskServices } from '../support/deskServices';
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
  this.timeout(60_000);
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

  it('are behind the lines that are seen, of a file of 50,000, and not where an id was edited', async () => {
    const document = await vscode.workspace.openTextDocument(input);
    const editor = await vscode.window.showTextDocument(document);
    const first = await until(async () => {
      const hints = await hintsIn(0, 10);
      return hints.length > 0 ? hints : undefined;
    }, 'hints');
    deepEqual(first.slice(0, 4).map(labelOf), ['→ answer to r-1', `→ ${attack}`, 'no answer', '→ answer to r-4']);
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

  it('are shown whole over the id, as text: only our own link does something', async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(input));
    const hovers = await until(async () => {
      const all = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
        'vscode.executeHoverProvider',
        input,
        new vscode.Position(1, 16),
      );
      return all.find(({ contents }) =>
        contents.some((one) => (one as vscode.MarkdownString).value.includes('Answer')),
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

  it('are one tab for a run, however it is named', async () => {
    await vscode.commands.executeCommand('inferenceDesk.batches.openResults', run);
    await until(() => tabs().find((label) => label === 'Results of many.jsonl'), 'the page');
    await vscode.commands.executeCommand(
      'inferenceDesk.batches.openResults',
      vscode.Uri.file(path.join(run, 'output.jsonl')),
    );
    await vscode.commands.executeCommand('inferenceDesk.batches.openResults', run, 'r-7');
    equal(tabs().filter((label) => label.startsWith('Results of')).length, 1);
  });

  it('of a retry are known to be of one', async () => {
    const lineage = createRetryLineage(services.context.globalState);
    await lineage.remember('/a/retry.jsonl', { retryOf: 'job-1', sha256: 'ab' });
    deepEqual(lineage.of('/a/retry.jsonl'), { retryOf: 'job-1', sha256: 'ab' });
    equal(lineage.of('__proto__'), undefined);
  });
});
