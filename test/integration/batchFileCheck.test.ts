import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkOneFile, stampOf } from '../../src/platform/batchCheck/checkOneFile';
import { deskServices } from '../support/deskServices';
import { requestLine } from '../support/requestLine';

const request = (id: string, model: string) => requestLine(id, 'Hello', { model });

describe('the check of one batch file', () => {
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

  it('tells what is in it, what is wrong, and what it was when it was read', async () => {
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

  it('says in words that there is no such file, and ends at once when cancelled', async () => {
    await rejects(check(path.join(folder, 'none.jsonl')), { title: 'The file could not be read' });
    await rejects(check(path.join(folder, 'asked.jsonl'), AbortSignal.abort()), { name: 'AbortError' });
    equal(await stampOf(path.join(folder, 'none.jsonl')), undefined);
  });
});
