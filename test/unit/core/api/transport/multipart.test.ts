import assert from 'node:assert/strict';
import { appendFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { multipartBody } from '../../../../../src/core/api/transport/multipart';
import type { UploadFile } from '../../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import { readAll, startOrigin } from '../../../../support/originServer';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { failureOf } from './stackHarness';

const timers = { connectMs: 9000, firstByteMs: 9000, idleMs: 9000, totalMs: 9000 };
const fileOf = (source: UploadFile['source'], filename = 'a.jsonl'): UploadFile => ({
  field: 'file',
  filename,
  contentType: 'application/jsonl',
  source,
});

describe('multipart body', () => {
  const folder = setUpFolder();

  it('frames fields and file exactly, with the stated length', async () => {
    const { body, contentType } = await multipartBody(
      { fields: { purpose: 'batch' }, file: fileOf({ bytes: Buffer.from('{}\n') }) },
      'B',
    );
    const written = await readAll(body.open());
    assert.equal(contentType, 'multipart/form-data; boundary=B');
    assert.equal(
      String(written),
      '--B\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n' +
        '--B\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n{}\n\r\n--B--\r\n',
    );
    assert.equal(body.contentLength, written.length);
  });

  it('is read correctly by a real parser, whatever the names contain', async () => {
    const filename = '声 "x"\r\nX-Evil: 1;\\.wav';
    const text = 'naïve\r\n--B\r\n';
    const { body, contentType } = await multipartBody({
      fields: { 'te"xt': text },
      file: fileOf({ bytes: Buffer.from([0, 255, 13, 10]) }, filename),
    });
    const form = await new Response(new Uint8Array(await readAll(body.open())), {
      headers: { 'content-type': contentType },
    }).formData();
    const file = form.get('file');
    assert.ok(file instanceof File);
    // The characters that end a quoted value arrive escaped, as browsers send them.
    assert.equal(decodeURIComponent(file.name), filename);
    assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], [0, 255, 13, 10]);
    assert.equal([...form.entries()].length, 2);
    assert.equal([...form.values()][0], text);
  });

  it('prevents a content type from adding a header', async () => {
    const file = { ...fileOf({ bytes: Buffer.from('x') }), contentType: 'audio/wav\r\nX-Evil: 1' };
    const { body } = await multipartBody({ fields: {}, file });
    assert.ok(!String(await readAll(body.open())).includes('\r\nX-Evil'));
  });

  it('streams a file from disk with progress to the last byte, and restarts when opened again', async () => {
    const path = folder.in('big.jsonl');
    const content = Buffer.alloc(3_000_017, 'abc');
    await writeFile(path, content);
    const seen: (readonly [number, number])[] = [];
    const parts = {
      fields: { purpose: 'batch' },
      file: fileOf({ path }),
      onProgress: (sent: number, total: number) => void seen.push([sent, total]),
    };
    const { body } = await multipartBody(parts);
    for (let round = 0; round < 2; round += 1) {
      seen.length = 0;
      const written = await readAll(body.open());
      assert.ok(written.includes(content));
      assert.equal(written.length, body.contentLength);
      assert.deepEqual(seen.at(-1), [body.contentLength, body.contentLength]);
      assert.ok(seen.length > 4 && seen.every(([sent], index) => index === 0 || sent > (seen[index - 1]?.[0] ?? 0)));
    }
  });

  it('sends an empty file as an empty part', async () => {
    const path = folder.in('empty.jsonl');
    await writeFile(path, '');
    const { body } = await multipartBody({ fields: {}, file: fileOf({ path }) }, 'B');
    assert.ok(String(await readAll(body.open())).endsWith('\r\n\r\n\r\n--B--\r\n'));
  });

  it('names a file that is missing or a folder', async () => {
    const missing = await failureOf(multipartBody({ fields: {}, file: fileOf({ path: folder.in('none') }) }));
    assert.deepEqual(
      [missing.kind, missing.message.includes('none'), missing.message.includes('ENOENT')],
      ['file', true, true],
    );
    assert.equal((await failureOf(multipartBody({ fields: {}, file: fileOf({ path: folder.path() }) }))).kind, 'file');
  });

  const changes: Readonly<Record<string, (path: string) => Promise<void>>> = {
    'grows before it is sent': (path) => appendFile(path, 'more'),
    'shrinks before it is sent': (path) => truncate(path, 10),
    'is rewritten in the same size before it is sent': async (path) => {
      await writeFile(path, Buffer.alloc(2_000_000, 'z'));
      await utimes(path, 1, 1);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`fails with an explanation, and sends nothing of the file, when it ${what}`, async () => {
      const path = folder.in('a.jsonl');
      await writeFile(path, Buffer.alloc(2_000_000, 'x'));
      const { body } = await multipartBody({ fields: {}, file: fileOf({ path }) });
      await change(path);
      const pieces: Uint8Array[] = [];
      const sending = async () => {
        for await (const piece of body.open()) pieces.push(piece);
      };
      const error = await failureOf(sending());
      assert.deepEqual([error.kind, /changed during/.test(error.message), pieces.length], ['file', true, 1]);
    });
  }

  it('never delivers a complete form of a file that changes during the upload', async () => {
    const path = folder.in('a.jsonl');
    await writeFile(path, Buffer.alloc(8_000_000, 'x'));
    let whole = false;
    const origin = await startOrigin((request, response) => {
      request.on('error', () => {});
      request.on('end', () => {
        whole = true;
        response.end();
      });
      request.resume();
    });
    const stack = createUndiciStack();
    const { body } = await multipartBody({ fields: {}, file: fileOf({ path }) });
    const changing = {
      contentLength: body.contentLength,
      async *open() {
        let pieces = 0;
        for await (const chunk of body.open()) {
          yield chunk;
          pieces += 1;
          if (pieces === 4) await appendFile(path, '!');
        }
      },
    };
    const error = await failureOf(stack.send({ method: 'POST', url: origin.url, headers: {}, body: changing, timers }));
    await origin.allClosed();
    assert.deepEqual([error.kind, whole], ['file', false]);
    await stack.close();
    await origin.close();
  });
});
