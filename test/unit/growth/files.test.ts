import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { LineTransport } from '../../../src/cli/mcp/lineTransport';
import { openRows } from '../../../src/core/batch/making/openRows';
import { growthProblem } from '../../support/growth';

const many = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, index) => one(index));

/** Rows of a file by its extension, as a table is read to make requests of it. */
const tables: Readonly<
  Record<string, { readonly ending: string; readonly size: number; text(this: void, size: number): string }>
> = {
  'columns of a table': { ending: 'csv', size: 1500, text: (size) => `${many(size, (at) => `c${at}`).join()}\n1` },
  'rows of a table': { ending: 'csv', size: 1000, text: (size) => `a,b\n${'1,2\n'.repeat(size)}` },
  'quotes in a field': { ending: 'csv', size: 2000, text: (size) => `a\n"${'""'.repeat(size)}"\n` },
  'quoted line breaks': { ending: 'csv', size: 2000, text: (size) => `a\n"${'\n'.repeat(size)}"\n` },
  'open quotes': { ending: 'csv', size: 2000, text: (size) => `${'"a,'.repeat(size)}\n` },
  'properties of a row': {
    ending: 'json',
    size: 1500,
    text: (size) => `[{${many(size, (at) => `"k${at}":1`).join()}}]`,
  },
  'rows without the properties of the first': {
    ending: 'jsonl',
    size: 300,
    text: (size) => `{${many(size, (at) => `"k${at}":1`).join()}}\n${'{}\n'.repeat(size)}`,
  },
  'brackets in a row': {
    ending: 'json',
    size: 1000,
    text: (size) => `[{"a":${'['.repeat(size)}${']'.repeat(size)}}]`,
  },
  'rows of an array': { ending: 'json', size: 1000, text: (size) => `[${many(size, (at) => `{"a":${at}}`).join()}]` },
};

describe('CPU time of reading ten times as much of a table', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => void (folder = mkdtempSync(path.join(tmpdir(), 'growth-'))));
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, { ending, size, text }] of Object.entries(tables)) {
    it(`grows less than 20-fold for: ${name}`, async () => {
      const make = (count: number) => {
        const file = path.join(folder, `${count}.${ending}`);
        writeFileSync(file, text(count));
        return file;
      };
      const read = async (file: string) => {
        try {
          for await (const _ of (await openRows(file)).rows());
        } catch {
          // What is no table costs no more than one.
        }
      };
      assert.equal(await growthProblem({ name, size, make, read }), undefined);
    });
  }
});

const messages: Readonly<Record<string, (size: number) => readonly string[]>> = {
  'messages in a chunk': (size) => ['{"jsonrpc":"2.0","id":1,"method":"a"}\n'.repeat(size)],
  'invalid messages': (size) => ['{"id":1}\n'.repeat(size)],
  'empty lines': (size) => ['\n'.repeat(size)],
  'chunks of a message': (size) => [...many(size, () => '{"a":"b",'), '\n'],
  'brackets of a message': (size) => [`{"id":1,"params":${'['.repeat(size)}${']'.repeat(size)}}\n`],
  'properties of a message': (size) => [
    `{"jsonrpc":"2.0","id":1,"method":"a","params":{${many(size, (at) => `"k${at}":1`).join()}}}\n`,
  ],
};

describe('CPU time of reading ten times as much from an MCP client', function () {
  this.timeout(120_000);

  for (const [name, make] of Object.entries(messages)) {
    it(`grows less than 20-fold for: ${name}`, async () => {
      const read = async (chunks: readonly string[]) => {
        const input = new PassThrough();
        const output = new PassThrough().resume();
        const transport = new LineTransport(input, output);
        await transport.start();
        for (const chunk of chunks) input.emit('data', Buffer.from(chunk));
        await transport.close();
      };
      assert.equal(await growthProblem({ name, size: 1000, make, read }), undefined);
    });
  }
});
