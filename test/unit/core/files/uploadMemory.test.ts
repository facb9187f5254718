import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUploadMemory } from '../../../../src/core/files/uploadMemory';

const account = { profileId: 'p', baseUrl: 'https://a.example/v1' };
const upload = { fileId: 'file-1', path: '/work/a.jsonl', sha256: 'ab'.repeat(32), bytes: 10, uploadedAt: 1000 };
const yearMs = 366 * 24 * 60 * 60 * 1000;

describe('the upload history', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'uploads-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('finds an upload by its content and by its file, also in another window', async () => {
    await createUploadMemory(folder, () => 1000).remember(account, upload);
    const other = createUploadMemory(folder, () => 1000);
    assert.deepEqual(await other.byContent(account, upload.sha256), upload);
    assert.deepEqual(await other.byFile(account, 'file-1'), upload);
    assert.equal(await other.byFile(account, 'file-2'), undefined);
  });

  it('excludes uploads of another account', async () => {
    const memory = createUploadMemory(folder);
    await memory.remember(account, upload);
    for (const other of [
      { ...account, profileId: 'q' },
      { ...account, baseUrl: 'https://b.example/v1' },
    ]) {
      assert.equal(await memory.byContent(other, upload.sha256), undefined);
      assert.equal(await memory.byFile(other, 'file-1'), undefined);
    }
  });

  it('keeps the last upload of a content, and none older than a year', async () => {
    await createUploadMemory(folder).remember(account, upload);
    const later = createUploadMemory(folder, () => upload.uploadedAt + yearMs);
    await later.remember(account, { ...upload, fileId: 'file-2', uploadedAt: upload.uploadedAt + yearMs });
    assert.equal((await later.byContent(account, upload.sha256))?.fileId, 'file-2');
    await later.remember(account, { ...upload, sha256: 'cd'.repeat(32) });
    await later.byFile(account, 'file-2');
    const [shelf] = await readdir(folder);
    assert.equal((await readdir(join(folder, shelf!))).length, 1);
  });

  it('removes only entries older than a year during a lookup', async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    const now = 1000 * dayMs;
    const memory = createUploadMemory(folder, () => now);
    const ages = { '11': 0, '22': 364 * dayMs, '33': 365 * dayMs, '44': 365 * dayMs + 1, '55': 400 * dayMs };
    const shaOf = (name: string) => name.repeat(32);
    for (const [name, age] of Object.entries(ages)) {
      await memory.remember(account, { ...upload, fileId: name, sha256: shaOf(name), uploadedAt: now - age });
    }
    assert.equal(await memory.byFile(account, '55'), undefined);
    assert.equal((await memory.byFile(account, '22'))?.fileId, '22');
    const left = await Promise.all(Object.keys(ages).map((name) => memory.byContent(account, shaOf(name))));
    assert.deepEqual(
      left.map((one) => one?.fileId),
      ['11', '22', '33', undefined, undefined],
    );
  });

  it('ignores invalid entries', async () => {
    const memory = createUploadMemory(folder);
    await memory.remember(account, upload);
    const [shelf] = await readdir(folder);
    for (const text of ['', '{', 'null', '[]', '{"version":2}', '{"version":1,"fileId":7}']) {
      await writeFile(join(folder, shelf!, `${upload.sha256}.json`), text);
      assert.equal(await memory.byContent(account, upload.sha256), undefined, text);
      assert.equal(await memory.byFile(account, 'file-1'), undefined, text);
    }
  });
});
