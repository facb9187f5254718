import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  checkBatchFiles,
  checkJobOf,
  checkOneFile,
  stampOf,
  showReport,
} from '../../src/services/batchFiles/checkFiles';
import { outcomeWords } from '../../src/services/batchFiles/checkWords';
import { beginAnew, deskServices } from '../support/deskServices';
import { requestLine } from '../support/requestLine';

const request = (id: string, model: string) => requestLine(id, 'Hello', { model });

describe('the check of a single batch file', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'one-check-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const check = async (file: string, signal = new AbortController().signal) => {
    const seen: number[] = [];
    const found = await checkOneFile(file, await deskServices(), { signal, onProgress: (bytes) => seen.push(bytes) });
    return { found, seen };
  };

  it('reports contents, problems, and the state of the file when read', async () => {
    const file = path.join(folder, 'asked.jsonl');
    const text = `${request('a', 'm')}\n${request('a', 'm')}\n`;
    writeFileSync(file, text);
    const { found, seen } = await check(file);
    deepEqual([found.requests, found.bytes, found.counts.error], [2, text.length, 1]);
    deepEqual(found.models, [{ id: 'm', requests: 2 }]);
    equal(found.sha256, createHash('sha256').update(text).digest('hex'));
    match(readFileSync(found.report, 'utf8'), /custom-id\.duplicate/);
    ok(seen.length > 0);
    equal(await stampOf(file), found.stamp);
    appendFileSync(file, `${request('b', 'm')}\n`);
    notEqual(await stampOf(file), found.stamp);
  });

  it('applies the limits that the service stated when it rejected a batch', async () => {
    const services = await deskServices();
    const { profiles, connections } = services;
    await profiles.save({ id: 'limited', name: 'Limited', baseUrl: 'https://limited.example/v1' });
    await profiles.setActive('limited');
    const file = path.join(folder, 'limited.jsonl');
    writeFileSync(file, `${request('a', 'm')}\n${request('b', 'm')}\n`);
    const problems = async () =>
      (await check(file)).found.problems.map(({ code, line, severity }) => `${line} ${severity} ${code}`);
    deepEqual(await problems(), []);
    (await connections.learned(profiles.active!)).learnBatches({ requests: 1 });
    deepEqual(await problems(), ['1 information file.too-many-requests']);
    equal(connections.statedOfBatches(), connections.statedOfBatches());
    deepEqual(connections.statedOfBatches(), { requests: 1 });
    await beginAnew(services);
    deepEqual(connections.statedOfBatches(), {});
  });

  it('reports a missing file, and ends immediately when canceled', async () => {
    await rejects(check(path.join(folder, 'none.jsonl')), { title: "Couldn't read the file" });
    await rejects(check(path.join(folder, 'asked.jsonl'), AbortSignal.abort()), { name: 'AbortError' });
    equal(await stampOf(path.join(folder, 'none.jsonl')), undefined);
  });

  it('explains invalid bytes, folders, missing files, concurrent changes, and unsaved edits', async () => {
    const found = async (name: string) => {
      const services = await deskServices();
      const job = await checkJobOf([path.join(folder, name)], services, { maxListed: 9, models: undefined });
      const { signal } = new AbortController();
      return checkBatchFiles(job, services, { signal, onProgress: () => undefined });
    };
    const reported = async (name: string) => outcomeWords({ ...(await found(name)), unsaved: [] });
    writeFileSync(
      path.join(folder, 'picture.jsonl'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff, 0xfe, 10]),
    );
    match(await reported('picture.jsonl'), /picture\.jsonl: Not checked\. The file isn't UTF-8/);
    mkdirSync(path.join(folder, 'folder.jsonl'));
    match(await reported('folder.jsonl'), /folder\.jsonl wasn't checked: this isn't a file\.$/);
    match(await reported('gone.jsonl'), /gone\.jsonl wasn't checked: the file no longer exists\.$/);
    writeFileSync(path.join(folder, 'good.jsonl'), `${request('a', 'm')}\n`);
    const { checked } = await found('good.jsonl');
    const words = outcomeWords({
      checked: checked.map((file) => ({ ...file, changed: true })),
      unchecked: [],
      unsaved: [path.join(folder, 'good.jsonl')],
    });
    match(words, /good\.jsonl: no problems in 1 request\. .*good\.jsonl changed during the check\. Check it again\./);
    match(words, /Unsaved changes weren't checked: .*good\.jsonl\.$/);
  });

  it('opens its report, unless it is too large for VS Code', async () => {
    const report = path.join(folder, 'asked.problems.txt');
    writeFileSync(report, 'custom-id.duplicate\n');
    await showReport(report);
    equal(vscode.window.activeTextEditor?.document.getText(), 'custom-id.duplicate\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    truncateSync(report, 50_000_000);
    let isReported = false;
    const telling = showReport(report).then(() => (isReported = true));
    // What it says instead stays until it is closed.
    while (!isReported) await vscode.commands.executeCommand('notifications.clearAll');
    await telling;
    equal(vscode.window.activeTextEditor, undefined);
  });
});
