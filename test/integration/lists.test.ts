import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Batch } from '../../src/core/api/batches/batches.schema';
import { batchTooltip, toBatchItem } from '../../src/features/batches/batchDrawing';
import { phasesOf } from '../../src/features/batchResults/page/resultsHead';
import { fileTooltip, toFileItem } from '../../src/features/files/fileItem';
import { toVoiceItem, voiceTooltip } from '../../src/features/voices/voiceItem';
import { listBatches } from '../../src/core/api/batches/listBatches';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';

const now = Date.UTC(2026, 0, 2, 12);
const seconds = (minutesAgo: number) => now / 1000 - minutesAgo * 60;
const rowOf = (batch: Batch) => ({ key: batch.id, batch });

describe('the lists of files, batches, and voices', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'listed', demo);
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  it('show what the service stores', async () => {
    const batchId = await demo.makeBatch('triage', 2);
    const uri = await demo.addVoice('Narrator');
    const client = await services.connections.client();
    const { signal } = new AbortController();
    const [file] = await client.files.list({ limit: 50 }, signal);
    ok(file);
    const uses = [{ id: batchId, name: 'triage', status: 'in_progress' }];
    const fileItem = toFileItem({ file, uses, usesKnown: true }, Date.now());
    equal(fileItem.label, 'triage.jsonl');
    match(String(fileItem.description), /^2 lines · 1 batch · \d+ bytes · now$/);
    const usedBy = (used: typeof uses) => fileTooltip({ file, uses: used, usesKnown: true }, Date.now()).value;
    match(usedBy(uses).replaceAll('&nbsp;', ' '), /triage \\\(in progress\\\)/);
    match(usedBy([]).replaceAll('&nbsp;', ' '), /no batch/);
    match(String(toFileItem({ file, uses: [], usesKnown: true }, Date.now()).description), /^2 lines · unused/);
    const { items } = await listBatches(client.batches, 0, signal);
    equal(items[0]?.id, batchId);
    equal(toBatchItem(rowOf(items[0]), Date.now()).label, 'triage');
    const [voice] = await client.voices.list(signal);
    const note = { text: 'My own voice', isAllowed: true, writtenAt: 0 };
    const voiceItem = toVoiceItem({ voice: voice!, note });
    deepEqual(
      [voice!.uri, voiceItem.label, voiceItem.description],
      [uri, 'Narrator', 'CosyVoice2-0.5B · consent confirmed · “The quick brown fox jumps over the lazy dog.”'],
    );
    deepEqual(voiceItem.command?.arguments, [uri]);
    equal(String(toVoiceItem({ voice: voice!, note: undefined }).description).includes('confirmed'), false);
    const about = voiceTooltip({ voice: voice!, note }).value.replaceAll('&nbsp;', ' ');
    ok(about.includes('quick'));
    ok(about.includes('My own voice'));
  });

  it('show the progress of a batch, its phases, and complete IDs', () => {
    const batch: Batch = {
      id: 'batch_0123456789',
      status: 'in_progress',
      errors: [{ line: 3, message: 'not JSON' }],
      endpoint: '/v1/chat/completions',
      inputFileId: 'file-input',
      outputFileId: 'https://results.example/out?sig=1',
      completionWindow: '24h',
      createdAt: seconds(90),
      inProgressAt: seconds(60),
      expiresAt: seconds(-60),
      requestCounts: { total: 5000, completed: 4962, failed: 38 },
      metadata: { name: 'Triage', batch_description: 'All of March', team: 'support' },
      fileName: 'triage.jsonl',
    };
    const item = toBatchItem(rowOf(batch), now);
    equal(item.label, 'Triage');
    equal(item.description, '100% of 5,000 · 38 failed · deadline in 1 hr');
    equal(item.accessibilityInformation?.label, 'Triage, in progress, 100% of 5,000, 38 failed, deadline in 1 hr');
    const going = phasesOf(batch, now).find(({ state }) => state === 'current');
    match(going?.detail ?? '', /4,962 of 5,000, 38 failed$/);
    equal(item.contextValue, 'batch input output told cancellable results unwatched linkable openable');
    const text = batchTooltip(rowOf(batch), now).value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
    for (const part of ['batch_0123456789', 'file-input', 'All of March', 'support', 'Line 3: not JSON', '24h']) {
      ok(text.includes(part), part);
    }
    equal(
      toBatchItem(rowOf({ ...batch, status: 'dreaming' }), now)
        .description?.toString()
        .split(' · ')[0],
      'dreaming',
    );
  });

  it("don't render the service's text as Markdown", () => {
    const evil = '[x](command:workbench.action.quit) ![y](https://beacon.example/z) <b>';
    const { value } = voiceTooltip({
      voice: { uri: 'speech:x', customName: evil, text: evil },
      note: { text: evil, isAllowed: false, writtenAt: 0 },
    });
    ok(!value.includes('[x]('));
    ok(!value.includes('!['));
  });

  it('refresh by command, and copy only with a row', async () => {
    await vscode.env.clipboard.writeText('before');
    for (const view of ['files', 'batches', 'voices']) {
      await vscode.commands.executeCommand(`inferenceDesk.${view}.refresh`);
    }
    await vscode.commands.executeCommand('inferenceDesk.files.copyId', { item: { id: 'x' } });
    await vscode.commands.executeCommand('inferenceDesk.batches.copyOutput');
    await vscode.commands.executeCommand('inferenceDesk.voices.copyUri', 'speech:x');
    equal(await vscode.env.clipboard.readText(), 'before');
  });
});
