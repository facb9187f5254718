import assert from 'node:assert/strict';
import type { Batch } from '../../../../src/core/api/batches/batches.schema';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { createFileRows } from '../../../../src/features/files/logic/fileRows';

const batch = (id: string, inputFileId: string, more: Partial<Batch> = {}): Batch => ({
  id,
  status: 'completed',
  errors: [],
  metadata: {},
  inputFileId,
  ...more,
});
const job = (id: string): BatchJob => ({
  id,
  profileId: 'p',
  baseUrl: 'https://a.example/v1',
  createdAt: 1,
  stage: 'running',
  options: { completion_window: '24h' },
});
const nothing = { batches: [], complete: true, jobs: [] };

describe('the rows of uploaded files', () => {
  it('list each batch of a file once, from the service and from this machine', () => {
    const rows = createFileRows()([{ id: 'f1' }, { id: 'f2' }, { id: 'f3' }], {
      batches: [batch('b1', 'f1', { metadata: { name: 'Triage' } }), batch('b2', 'f1', { fileName: 'x.jsonl' })],
      complete: true,
      jobs: [
        { ...job('j1'), batch: batch('b1', 'f1', { status: 'in_progress' }) },
        { ...job('j2'), inputFileId: 'f2', input: { path: '/work/中文.jsonl', requests: 1, bytes: 1, sha256: '' } },
      ],
    });
    assert.deepEqual(
      rows.map(({ uses }) => uses.map(({ id, name, status }) => [id, name, status])),
      [
        [
          ['b1', 'Triage', 'completed'],
          ['b2', 'x.jsonl', 'completed'],
        ],
        [['j2', '中文.jsonl', undefined]],
        [],
      ],
    );
  });

  it("exclude a job that certainly wasn't started", () => {
    const refused = { ...job('j1'), stage: 'refused', inputFileId: 'f1' } as const;
    const unknown = { ...job('j2'), stage: 'unknown', inputFileId: 'f1' } as const;
    const [row] = createFileRows()([{ id: 'f1' }], { ...nothing, jobs: [refused, unknown] });
    assert.deepEqual(
      row?.uses.map(({ id }) => id),
      ['j2'],
    );
  });

  it("don't describe a file as unused if the list of batches is incomplete", () => {
    const [row] = createFileRows()([{ id: 'f1' }], { ...nothing, complete: false });
    assert.deepEqual([row?.usesKnown, row?.uses], [false, []]);
  });

  it('are the same objects while they are unchanged', () => {
    const toRows = createFileRows();
    const files = () => [{ id: 'f1', bytes: 3 }, { id: 'f2' }];
    const before = toRows(files(), nothing);
    const after = toRows(files(), { ...nothing, batches: [batch('b', 'f2')] });
    assert.deepEqual([after[0] === before[0], after[1] === before[1]], [true, false]);
  });

  it('are joined ten thousand at a time without a pause', () => {
    const files = Array.from({ length: 10_000 }, (_, index) => ({ id: `f${index}` }));
    const batches = files.map(({ id }, index) => batch(`b${index}`, id));
    const rows = createFileRows()(files, { batches, complete: true, jobs: [] });
    assert.equal(rows.filter(({ uses }) => uses.length === 1).length, 10_000);
  });
});
