import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Batch } from '../../src/core/api/batches/batches.schema';
import type { CatalogueModel } from '../../src/core/catalogue/model';
import type { AccountState } from '../../src/services/account/account';
import type { BatchJob, BatchRow } from '../../src/services/batches/batches';
import type { MediaJob } from '../../src/services/media/media';
import { accountRows } from '../../src/features/account/accountRows';
import { AccountTree } from '../../src/features/account/account';
import { toBatchItem, batchDetails } from '../../src/features/batches/batchDrawing';
import { toFileItem } from '../../src/features/files/fileItem';
import type { MediaRow } from '../../src/features/media/logic/mediaRow';
import { toMediaItem } from '../../src/features/media/view/mediaItem';
import { toModelTreeItem } from '../../src/features/models/modelItem';
import type { ModelNode, ModelTreeNode } from '../../src/features/models/logic/modelTree';
import { toVoiceItem } from '../../src/features/voices/voiceItem';
import { imageAsset, speechAsset, videoAsset } from '../support/madeAssets';
import { CommandRow } from '../../src/platform/listRow';

const now = Date.parse('2026-11-21T12:00:00Z');

type Spoken = Readonly<Record<string, readonly vscode.TreeItem[]>>;

const spokenOf = (item: vscode.TreeItem): string => item.accessibilityInformation?.label ?? '';

/** What is wrong with how a row is read out. */
function faultOf(item: vscode.TreeItem): string | undefined {
  const spoken = spokenOf(item);
  if (spoken.trim() === '') return 'says nothing';
  if (/\$\(|~spin|\bundefined\b|\bNaN\b|\[object|, ,|^[,: ]|[,: ]$/.test(spoken)) return `reads badly: ${spoken}`;
  const words = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  return spoken.includes(words.replace(/…$/, '')) ? undefined : `leaves out “${words}”: ${spoken}`;
}

const batch = (status: string, more: Partial<Batch> = {}): Batch => ({
  id: 'batch_0123456789',
  status,
  createdAt: now / 1000 - 600,
  errors: [],
  metadata: { name: 'Triage' },
  fileName: 'tickets.jsonl',
  inputFileId: 'file-1',
  ...more,
});
const order = { createdAt: now - 60_000, profileId: 'p', folder: '/made' };
const batchJob = (stage: BatchJob['stage'], more: object = {}): BatchJob =>
  ({ id: 'o1', stage, ...order, options: { completion_window: '24h' }, ...more }) as unknown as BatchJob;
const mediaJob = (kind: 'image' | 'video', stage: MediaJob['stage'], more: object = {}): MediaJob =>
  ({
    id: 'm1',
    stage,
    ...order,
    task: { kind, request: { model: 'm', prompt: 'A harbour at dusk, seen from the sea' } },
    ...more,
  }) as unknown as MediaJob;

const stages = ['preparing', 'submitting', 'unknown', 'refused', 'running', 'fetching', 'ended'] as const;
const statuses = ['validating', 'in_queue', 'in_progress', 'finalizing', 'completed', 'failed', 'expired'];
const moreStatuses = ['cancelling', 'cancelled', 'something_new'];
const counts = { total: 10, completed: 6, failed: 4 };
const problem = { kind: 'failed', message: 'The service refused it.' };

const batchRows: readonly BatchRow[] = [
  ...[...statuses, ...moreStatuses].map((status) => ({ key: status, batch: batch(status) })),
  { key: 'partly', batch: batch('completed', { requestCounts: counts }) },
  { key: 'all failed', batch: batch('completed', { requestCounts: { total: 3, completed: 0, failed: 3 } }) },
  { key: 'running', batch: batch('in_progress', { requestCounts: counts, expiresAt: now / 1000 + 3600 }) },
  { key: 'errors', batch: batch('failed', { errors: [{ message: 'line 1' }, { message: 'line 2' }] }) },
  ...stages.map((stage) => ({ key: stage, job: batchJob(stage, { problem }) })),
];

const media: readonly MediaRow[] = [
  ...(['image', 'video'] as const).flatMap((kind) =>
    stages.map((stage) => ({ kind: 'job', key: stage, job: mediaJob(kind, stage) }) as const),
  ),
  ...['InQueue', 'InProgress', 'Succeed', 'Other'].map(
    (status) => ({ kind: 'job', key: status, job: mediaJob('video', 'running', { status, position: 3 }) }) as const,
  ),
  ...['expired', 'noResults', 'failed', 'tooLarge'].map(
    (kind) =>
      ({ kind: 'job', key: kind, job: mediaJob('video', 'ended', { problem: { kind, message: '' } }) }) as const,
  ),
  ...(['newer', 'torn', 'denied'] as const).map(
    (reason) => ({ kind: 'unreadable', key: reason, record: { id: 'x1', reason } }) as unknown as MediaRow,
  ),
  ...[imageAsset(), videoAsset(), speechAsset()].map(
    (asset) => ({ kind: 'made', key: asset.path, asset }) as unknown as MediaRow,
  ),
  { kind: 'all', key: 'all', count: 5003 },
];

const model = { id: 'Pro/Qwen/Qwen3-8B', types: ['text'], subTypes: ['chat'] } as unknown as CatalogueModel;
const modelNode = (part: Partial<ModelNode>): ModelNode => ({
  kind: 'model',
  id: 'n',
  modelId: model.id,
  model,
  belowVendor: false,
  isNew: false,
  isPinned: false,
  defaultFor: [],
  ...part,
});
const models: readonly ModelTreeNode[] = [
  ...(['pinned', 'vanished', 'chat', 'embedding', 'other'] as const).map(
    (key) =>
      ({ kind: 'group', id: key, key, count: 12, newCount: 3, expanded: true, children: [] }) satisfies ModelTreeNode,
  ),
  { kind: 'vendor', id: 'v', vendor: undefined, newCount: 1, expanded: false, children: [modelNode({})] },
  modelNode({}),
  modelNode({ isNew: true, isPinned: true, defaultFor: ['chat'] }),
  modelNode({ model: undefined }),
];

function accountItems(): readonly vscode.TreeItem[] {
  const profile = { id: 'p', name: 'Work', baseUrl: 'https://api.example.com/v1', origin: 'https://api.example.com' };
  const reading = {
    readAt: now,
    info: { totalBalance: '0.30', chargeBalance: '0.10', name: 'Anna', status: 'normal' },
  };
  const states = [
    { status: 'unknown' },
    { status: 'notOffered' },
    { status: 'ready', reading },
    { status: 'failed', error: new Error('gone'), last: reading },
    { status: 'failed', error: new Error('gone') },
  ] as unknown as readonly AccountState[];
  const tree = new AccountTree();
  type Row = ReturnType<typeof accountRows>[number];
  const withChildren = (row: Row): readonly Row[] =>
    row instanceof CommandRow ? [row] : [row, ...row.children.flatMap(withChildren)];
  return states
    .flatMap((state) => accountRows({ profile, state, lowBalance: '1', now, language: 'en' }))
    .flatMap(withChildren)
    .map((row) => tree.getTreeItem(row));
}

const file = { id: 'file-0123456789', filename: 'tickets.jsonl', bytes: 2048, createdAt: now / 1000, lineCount: 3 };
const voice = { uri: 'speech:anna:1:2', customName: 'anna', model: 'FunAudioLLM/CosyVoice2-0.5B', text: 'Good day.' };
const note = { text: 'My own.', isAllowed: true, writtenAt: '' };

const views = (): Spoken => ({
  Account: accountItems(),
  Models: models.map((node) => toModelTreeItem(node)),
  Files: [
    toFileItem({ file, uses: [], usesKnown: true } as never, now),
    toFileItem({ file: { id: file.id }, uses: [], usesKnown: false } as never, now),
    toFileItem({ file, uses: [{ id: 'b', name: 'Triage', status: 'completed' }], usesKnown: true } as never, now),
  ],
  Batches: batchRows.map((row) => toBatchItem(row, now)),
  'Batches, below a batch': batchRows.flatMap((row) => batchDetails(row, now)),
  Voices: [
    toVoiceItem({ voice, note: undefined } as never),
    toVoiceItem({ voice: { uri: voice.uri }, note } as never),
    toVoiceItem({ voice, note: { ...note, isAllowed: false } } as never),
  ],
  Media: media.map((row) => toMediaItem(row, now)),
});

describe('accessible names of view rows', () => {
  for (const view of ['Account', 'Models', 'Files', 'Batches', 'Batches, below a batch', 'Voices', 'Media']) {
    it(`include the name and state: ${view}`, () => {
      const items = views()[view] ?? [];
      assert.ok(items.length > 2);
      assert.deepEqual(
        items.map(faultOf).filter((fault) => fault !== undefined),
        [],
      );
    });
  }

  it('include the state that only the icon or color shows', () => {
    const { Account = [], Models = [], Batches = [], Media = [] } = views();
    const says = (items: readonly vscode.TreeItem[], words: string) =>
      assert.ok(items.map(spokenOf).includes(words), `${words}\n${items.map(spokenOf).join('\n')}`);
    says(Account, 'Warning: Balance: 0.30, below 1.00');
    says(Models, 'Chat, 12 models, 3 new');
    says(Media, 'Show All in Gallery, 5,003');
    for (const status of ['queued', 'failed', 'canceled', 'not confirmed'])
      assert.ok(
        Batches.some((item) => spokenOf(item).includes(status)),
        status,
      );
  });
});
