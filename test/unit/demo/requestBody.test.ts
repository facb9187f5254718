import { rejects } from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { readForm } from '../../../src/demo/requestBody';
import { setUpFolder } from '../../support/temporaryFolder';

describe('demo service: a form', () => {
  const folder = setUpFolder();

  it('is rejected if it breaks off before the target of its file is opened, without an unhandled error', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=mark' };
    const request = Object.assign(new PassThrough(), { headers });
    request.write('--mark\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\nbegun');
    const place = () => {
      request.destroy(new Error('aborted'));
      return folder.in('incoming');
    };
    // Node drops what is thrown in the turn in which a folder came.
    await turn();
    await rejects(readForm(request as unknown as IncomingMessage, place), /broken off/);
  });
});
