import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createRunFolder, updateRun } from '../../src/core/batch/results/runFolder';
import { createRunLinks } from '../../src/features/batchResults/run/runLinks';
import { Runs } from '../../src/features/batchResults/logic/runs';
import { resultsRoot } from '../../src/services/batches/resultsRoot';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

describe('a run repeated with changes', function () {
  this.timeout(120_000);
  let services: Services;
  let folder: string;
  const made: string[] = [];
  before(async () => {
    services = await deskServices();
    folder = mkdtempSync(path.join(tmpdir(), 'again-'));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => {
    for (const one of [folder, ...made]) rmSync(one, { recursive: true, force: true });
  });

  const makeRun = async (file: string, text: string, ended = true) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const run = await createRunFolder(resultsRoot(services), {
      kind: 'local',
      name: path.basename(file),
      createdAt: Date.now(),
      input: { path: file, sha256, bytes: text.length, requests: 2 },
      files: { output: 'output.jsonl' },
      ended,
    });
    made.push(run.path);
    const answer = (id: string) =>
      JSON.stringify({ custom_id: id, response: { body: { choices: [{ message: { content: `of ${id}` } }] } } });
    writeFileSync(path.join(run.path, 'output.jsonl'), `${answer('a')}\n${answer('b')}\n`);
    return run.path;
  };
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);

  it('writes its requests to a separate file, and compares the run of that file when it ends', async () => {
    const file = path.join(folder, 'orders.jsonl');
    const text = `${requestLine('a', 'Hello')}\n${requestLine('b', 'Hello')}\n`;
    writeFileSync(file, text);
    const run = await makeRun(file, text);
    const target = path.join(folder, 'orders.again.jsonl');
    const again = vscode.commands.executeCommand('inferenceDesk.batches.runAgain', run);
    // The first choice of each step: all requests, then a batch of them.
    await until(() => {
      if (existsSync(target)) return true;
      void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return undefined;
    }, 'the file');
    await again;
    equal(readFileSync(target, 'utf8'), text);
    await makeRun(target, text);
    await until(() => tabs().find((label) => label.startsWith('Compare')), 'the comparison');
  });

  it('offers a higher limit for responses that one truncated', async () => {
    const file = path.join(folder, 'short.jsonl');
    const text = `${requestLine('a', 'Hello', { max_tokens: 5 })}\n${requestLine('b', 'Hello')}\n`;
    writeFileSync(file, text);
    const run = await makeRun(file, text);
    const output = path.join(run, 'output.jsonl');
    const cut = '{"message":{"content":"of a"},"finish_reason":"length"}';
    writeFileSync(output, readFileSync(output, 'utf8').replace('{"message":{"content":"of a"}}', cut));
    const { createQuickPick } = vscode.window;
    const shown: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    const make = () => {
      const pick = createQuickPick();
      shown.push(pick);
      return pick;
    };
    Object.assign(vscode.window, { createQuickPick: make });
    const choose = async (label: string) => {
      const pick = await until(() => {
        const last = shown.at(-1);
        return last?.items.some((one) => one.label === label) ? last : undefined;
      }, label);
      let isAccepted = false;
      pick.onDidAccept(() => (isAccepted = true));
      await until(async () => {
        const [active] = pick.activeItems;
        const command = active?.label === label ? 'acceptSelectedQuickOpenItem' : 'quickOpenSelectNext';
        if (active && !isAccepted) await vscode.commands.executeCommand(`workbench.action.${command}`);
        return isAccepted || undefined;
      }, `the choice of ${label}`);
      return pick;
    };
    const target = path.join(folder, 'short.truncated.jsonl');
    try {
      const again = vscode.commands.executeCommand('inferenceDesk.batches.runAgain', run);
      await choose('Truncated responses');
      equal((await choose('Allow Up to 1,024 Tokens')).placeholder, 'Token limit reached: 5. Select a new limit.');
      const { items } = await choose('Create File');
      deepEqual(
        items.filter(({ label }) => label === 'Token limit').map(({ description, detail }) => [description, detail]),
        [['1,024', 'Truncated responses: 1']],
      );
      await again;
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
    const written = readFileSync(target, 'utf8');
    equal(written, `${requestLine('a', 'Hello', { max_tokens: 1024 })}\n`);
    // Its link waits for this run, and would otherwise take the ends of others.
    await makeRun(target, written);
    await until(() => tabs().find((label) => label.startsWith('Compare')), 'the comparison');
  });

  it('is compared once, after the other run has ended with results', async () => {
    const ends: unknown[] = [];
    const links = createRunLinks(services, new Runs(services), (pair) => ends.push(pair));
    const file = path.join(folder, 'later.jsonl');
    const of = { kind: 'folder', folder: '/of' } as const;
    await links.add(file, { of, sha256: 'ab' });
    const run = await makeRun(file, 'text', false);
    await updateRun(run, { status: 'in_progress' });
    deepEqual(ends, []);
    await updateRun(run, { ended: true });
    await until(() => ends[0], 'its end');
    deepEqual(ends, [{ a: of, b: { kind: 'folder', folder: run } }]);
    ok(!JSON.stringify(services.context.globalState.get('batchResults.links')).includes('later.jsonl'));
    links.dispose();
  });
});
