import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dropMark } from '../../../../../src/core/batch/transform/dropMark';
import { setUpFolder } from '../../../../support/temporaryFolder';

describe('The byte-order mark of a file', () => {
  const folder = setUpFolder();

  it('is removed alone, and name, permissions, and other bytes are unchanged, also through a link', async () => {
    const file = folder.in('marked.jsonl');
    const rest = Buffer.from([0x7b, 0xff, 0xef, 0xbb, 0xbf, 0x0d]);
    writeFileSync(file, Buffer.concat([Buffer.from('\ufeff'), rest]));
    chmodSync(file, 0o640);
    symlinkSync(file, folder.in('link.jsonl'));
    assert.equal(await dropMark(folder.in('link.jsonl')), true);
    assert.deepEqual(readFileSync(file), rest);
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.ok(lstatSync(folder.in('link.jsonl')).isSymbolicLink());
    assert.equal(await dropMark(file), false);
    assert.deepEqual(readdirSync(folder.path()).toSorted(), ['link.jsonl', 'marked.jsonl']);
  });
});
