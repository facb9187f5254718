import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emptyForm } from '../../../../src/protocol/rerankForm';
import { createRerankStore } from '../../../../src/features/rerank/logic/rerankStore';
import type { SavedRanking } from '../../../../src/features/rerank/logic/rerankStore';
import type { RerankSource } from '../../../../src/features/rerank/logic/documents';

const source: RerankSource = {
  kind: 'selection',
  title: 'notes.md:1-2',
  texts: [{ text: 'a\nb', name: 'notes.md', at: { uri: 'file:///notes.md', line: 0, character: 0 } }],
  remarks: [],
};
const ranking: SavedRanking = {
  parameters: { query: 'q', model: 'm' },
  sent: [0, 1],
  slices: [
    {
      indexes: [0, 1],
      scores: [{ index: 1, score: 0.5 }],
      problems: [{ at: 1, kind: 'scoreMissing', index: 0 }],
      tokens: { input: 3, output: 0 },
      id: 'answer',
    },
  ],
  at: 5,
  durationMs: 7,
  failure: { kind: 'x', title: 'x', detail: '', actions: [{ id: 'showExchange:1', label: 'x' }] },
};

const fail = (error: unknown) => {
  throw error;
};

describe('stored rerank pages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pages-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = () => createRerankStore(folder, fail);

  it('are restored with everything that was typed and charged', async () => {
    const { record, memory } = await open().create(source, { ...emptyForm, query: 'typed' });
    assert.equal(record.by, 'lines');
    assert.deepEqual(await open().ranked(), []);
    const choices = { by: 'lines', excluded: { lines: [1] }, form: { ...emptyForm, query: 'q' } } as const;
    await memory.keepChoices(choices);
    await memory.keepResults({ rankings: { lines: ranking }, comparisons: {} });
    const found = await open().find(record.id);
    assert.deepEqual(found?.record, {
      id: record.id,
      source,
      ...choices,
      rankings: { lines: ranking },
      comparisons: {},
    });
    const [earlier] = await open().ranked();
    assert.deepEqual([earlier?.id, earlier?.title, earlier?.query], [record.id, source.title, 'q']);
  });

  it('are ignored if the file is damaged or the ID is invalid', async () => {
    const { record } = await open().create(source, emptyForm);
    await writeFile(path.join(folder, record.id, 'choices.json'), '{"by":"lines"');
    assert.equal(await open().find(record.id), undefined);
    assert.equal(await open().find('../../etc'), undefined);
    assert.deepEqual(await createRerankStore(path.join(folder, 'none'), fail).ranked(), []);
  });

  it('are limited to thirty, and the oldest are removed', async () => {
    const first = await open().create(source, emptyForm);
    for (let at = 0; at < 30; at++) await open().create(source, emptyForm);
    assert.equal((await readdir(folder)).length, 30);
    assert.equal(await open().find(first.record.id), undefined);
  });

  it('are limited to 200 MB, and the oldest are removed, but never the newest', async () => {
    const resultsOf = (id: string) => path.join(folder, id, 'results.json');
    const sizeOf = async (id: string) => {
      const files = await readdir(path.join(folder, id));
      const sizes = await Promise.all(files.map(async (name) => (await stat(path.join(folder, id, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    /** How many pages are left when a page of this many bytes and a new one are there. */
    const leftWith = async (bytesTogether: number) => {
      const { record } = await open().create(source, emptyForm);
      const own = await sizeOf(record.id);
      await writeFile(resultsOf(record.id), '');
      await truncate(resultsOf(record.id), bytesTogether - own * 2);
      for (const name of ['source', 'choices', 'results']) {
        await utimes(path.join(folder, record.id, `${name}.json`), 1, 1);
      }
      const { record: newest } = await open().create(source, emptyForm);
      const names = await readdir(folder);
      for (const name of names) await rm(path.join(folder, name), { recursive: true });
      assert.ok(names.includes(newest.id));
      return names.length;
    };
    assert.deepEqual([await leftWith(200_000_000), await leftWith(200_000_001)], [2, 1]);
  });
});
