import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { createEditorStack } from '../../../../../src/core/api/transport/editorTransport';
import { multipartBody } from '../../../../../src/core/api/transport/multipart';
import type { HttpStack } from '../../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import { readAll, startOrigin } from '../../../../support/originServer';
import { bundleProgram, runProgram, startProgram } from '../../../../support/programs';
import { setUpFolder } from '../../../../support/temporaryFolder';

const timers = { connectMs: 9000, firstByteMs: 9000, idleMs: 9000, totalMs: 60_000 };
const stacks: Readonly<Record<string, () => HttpStack>> = { undici: createUndiciStack, editor: createEditorStack };

describe('uploading a file', () => {
  const folder = setUpFolder();

  for (const [name, create] of Object.entries(stacks)) {
    it(`delivers every byte in order over the ${name} stack, to a server that reads intermittently`, async () => {
      const path = folder.in('numbers.bin');
      const content = Buffer.from(Uint32Array.from({ length: 5_000_000 }, (_, index) => index * 2_654_435_761).buffer);
      await writeFile(path, content);
      const { body, contentType } = await multipartBody({
        fields: {},
        file: { field: 'file', filename: 'n', contentType: 'x/y', source: { path } },
      });
      const origin = await startOrigin(async (request, response) => {
        const hash = createHash('sha256');
        let seen = 0;
        for await (const chunk of request) {
          hash.update(chunk as Buffer);
          seen += 1;
          if (seen % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        response.end(hash.digest('hex'));
      });
      const stack = create();
      const request = {
        method: 'POST',
        url: origin.url,
        headers: { 'content-type': contentType },
        body,
        timers,
      } as const;
      const response = await stack.send(request);
      const expected = createHash('sha256')
        .update(await readAll(body.open()))
        .digest('hex');
      assert.equal(String(await readAll(response.body)), expected);
      await stack.close();
      await origin.close();
    });

    it(`uses no more memory for a large file than for a small one over the ${name} stack`, async function () {
      this.timeout(60_000);
      const path = folder.in('large.jsonl');
      await writeFile(path, '');
      await truncate(path, 300_000_000);
      const server = await startProgram(await bundleProgram('test/support/sinkServer.ts'));
      const client = await bundleProgram('test/support/uploadClient.ts');
      const { overIdleMb } = JSON.parse(await runProgram(process.execPath, [client, name, server.firstLine, path]));
      await server.stop();
      assert.ok(overIdleMb < 100, `${overIdleMb} MB over the idle program`);
    });
  }
});
