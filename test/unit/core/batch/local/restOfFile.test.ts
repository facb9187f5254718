import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { restPath, writeRest } from '../../../../../src/core/batch/local/restOfFile';
import { localRequest } from '../../../../support/localRuns';
import { setUpFolder } from '../../../../support/temporaryFolder';

describe('the rest of a partly run batch file', () => {
  const files = setUpFolder();

  it('contains the lines without a result, byte by byte', async () => {
    const odd = '{ "custom_id" : "é\\u00e9",  "seed": 12345678901234567890 }';
    const lines = [localRequest('a'), odd, '', localRequest('c'), localRequest('d')];
    writeFileSync(files.in('requests.jsonl'), `\ufeff${lines.join('\r\n')}`);
    const done = new Set([1, 4]);
    const target = await restPath(files.in('requests.jsonl'));
    const rest = `${odd}\n${localRequest('d')}\n`;
    const sha256 = createHash('sha256').update(rest).digest('hex');
    deepEqual(await writeRest(files.in('requests.jsonl'), done, { target, replace: false }), { requests: 2, sha256 });
    equal(readFileSync(target, 'utf8'), rest);
    deepEqual(path.basename(await restPath(files.in('requests.jsonl'))), 'requests.rest-2.jsonl');
    deepEqual(path.basename(await restPath(target)), 'requests.rest-2.jsonl');
  });
});
