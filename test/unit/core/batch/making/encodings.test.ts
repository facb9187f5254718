import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openRows } from '../../../../../src/core/batch/making/openRows';
import { partNotUtf8 } from '../../../../../src/core/batch/making/utf8File';
import { guessEncodings } from '../../../../../src/core/workspace/textEncoding';

/** `姓名,备注` and rows of `张三,退货`, in GBK. */
const head = Buffer.from('d0d5c3fb2cb1b8d7a20d0a', 'hex');
const row = Buffer.from('d5c5c8fd2ccdcbbbf50d0a', 'hex');

describe('a table that is not UTF-8', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'encodings-'))));
  after(() => rm(folder, { recursive: true }));
  const write = async (name: string, bytes: Uint8Array) => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  const rowsOf = async (file: string, encoding: 'gb18030' | 'utf-16le') => {
    const source = await openRows(file, encoding);
    const all = [source.columns];
    for await (const fields of source.rows()) all.push(fields);
    return all;
  };

  it('is read in the named encoding, across chunk borders', async () => {
    const file = await write('gbk.csv', Buffer.concat([head, ...Array.from({ length: 20_000 }, () => row)]));
    const all = await rowsOf(file, 'gb18030');
    deepEqual([all[0], all.at(-1), all.length], [['姓名', '备注'], ['张三', '退货'], 20_001]);
    equal(new Set(all.slice(1).map(String)).size, 1);
  });

  it('is read without its byte-order mark', async () => {
    const file = await write('wide.tsv', Buffer.from('\ufeff姓名\t备注\n张三\t退货\n', 'utf16le'));
    deepEqual(await rowsOf(file, 'utf-16le'), [
      ['姓名', '备注'],
      ['张三', '退货'],
    ]);
  });

  it('is read in the named encoding if it has one JSON object per line', async () => {
    const text = '\ufeff{"姓名":"张三","备注":"退货"}\r\n{"姓名":"李四","备注":"换货"}';
    deepEqual(await rowsOf(await write('wide.jsonl', Buffer.from(text, 'utf16le')), 'utf-16le'), [
      ['姓名', '备注'],
      ['张三', '退货'],
      ['李四', '换货'],
    ]);
    const line = Buffer.from('{"\xd0\xd5\xc3\xfb":"\xd5\xc5\xc8\xfd"}\n', 'latin1');
    deepEqual(await rowsOf(await write('gbk.ndjson', line), 'gb18030'), [['姓名'], ['张三']]);
  });

  it('is recognized even if its first non-ASCII character is far from the start', async () => {
    const ascii = Buffer.from('id,name\n'.repeat(20_000));
    const part = await partNotUtf8(
      await write('late.csv', Buffer.concat([ascii, ...Array.from({ length: 99 }, () => row)])),
    );
    equal(part && guessEncodings(part, 'en')[0]?.encoding, 'gb18030');
    equal(await partNotUtf8(await write('utf8.csv', Buffer.from('姓名\n'.repeat(50_000)))), undefined);
  });

  it('is an error without a named encoding', async () => {
    await rejects(openRows(await write('none.csv', head)), /isn't UTF-8/);
  });

  it('requires no encoding for a compressed file, which must be decompressed, or a spreadsheet, which must be saved as CSV', async () => {
    const compressed = await write('rows.csv', gzipSync('id,name\n1,a\n'));
    equal(await partNotUtf8(compressed), undefined);
    await rejects(openRows(compressed), /The file is compressed \(gzip\)\. Decompress it first\./);
    await rejects(
      openRows(await write('sheet.csv', Buffer.from('PK\u0003\u0004\0\0[Content_Types].xml'))),
      /in Excel, "CSV UTF-8"/,
    );
  });
});
