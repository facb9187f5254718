import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Batch } from '../../src/core/api/batches/batches.schema';
import { toBatchItem } from '../../src/features/batches/batchItem';
import { loadBatches } from '../../src/features/batches/loadBatches';
import { toFileItem } from '../../src/features/files/files';
import { toVoiceItem } from '../../src/features/voices/voices';
import type { Services } from '../../src/services';
import { beginAnew, deskServices } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';

const now = Date.UTC(2026, 0, 2, 12);
const seconds = (minutesAgo: number) => now / 1000 - minutesAgo * 60;
const tooltip = ({ tooltip: text }: vscode.TreeItem) => (text instanceof vscode.MarkdownString ? text.value : text);

describe('the lists of files, batches and voices', function () {
  this.timeout(20_000);
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await beginAnew(services);
    await services.profiles.save({ id: 'listed', name: 'Listed', baseUrl: demo.baseUrl });
    await services.profiles.setActive('listed');
    await services.profiles.storeKey('listed', demo.apiKey);
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  it('show what the service keeps', async () => {
    const batchId = await demo.makeBatch('triage', 2);
    const uri = await demo.addVoice('Narrator');
    const client = await services.connections.client();
    const { signal } = new AbortController();
    const [file] = await client.files.list({ limit: 50 }, signal);
    ok(file);
    const fileItem = toFileItem(file, Date.now());
    deepEqual([fileItem.label, fileItem.id], ['triage.jsonl', file.id]);
    match(String(fileItem.description), /^2 lines · \d+ bytes · now$/);
    const { items } = await loadBatches(client, 0, signal);
    const batchItem = toBatchItem(items[0]!, Date.now());
    deepEqual([batchItem.label, batchItem.id], ['triage', batchId]);
    const [voice] = await client.voices.list(signal);
    const voiceItem = toVoiceItem(voice!);
    deepEqual([voiceItem.label, voiceItem.id, voiceItem.description], ['Narrator', uri, voice!.model]);
    ok(tooltip(voiceItem)?.includes('quick'));
  });

  it('say how far a batch is, what it went through, and every id in full', () => {
    const batch: Batch = {
      id: 'batch_0123456789',
      status: 'in_progress',
      errors: ['line 3 is not JSON'],
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
    const item = toBatchItem(batch, now);
    equal(item.label, 'Triage');
    equal(item.description, 'in progress · 4,962 of 5,000, 38 failed · 1 hr. ago');
    equal(item.contextValue, 'batch input output');
    const text = tooltip(item)?.replaceAll('&nbsp;', ' ').replaceAll('\\', '') ?? '';
    for (const part of ['batch_0123456789', 'file-input', 'All of March', 'support', 'line 3 is not JSON', '24h']) {
      ok(text.includes(part), part);
    }
    equal(
      toBatchItem({ ...batch, status: 'dreaming' }, now)
        .description?.toString()
        .split(' · ')[0],
      'dreaming',
    );
  });

  it('read nothing a service says as Markdown', () => {
    const evil = '[x](command:workbench.action.quit) ![y](https://beacon.example/z) <b>';
    const item = toVoiceItem({ uri: 'speech:x', customName: evil, text: evil });
    ok(!tooltip(item)?.includes('[x]('));
    ok(!tooltip(item)?.includes('!['));
  });

  it('refresh by command, and copy nothing without a row', async () => {
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
