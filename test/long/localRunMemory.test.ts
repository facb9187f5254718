import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { bundleProgram, runProgram } from '../support/programs';
import { setUpFolder } from '../support/temporaryFolder';

const lines = 12_000;
/** The collector of garbage lets a program grow to some size, whatever it does. */
const fewer = 2000;
const spareMb = 120;
/** A third of the file: what is held of it would not fit. */
const heap = '--max-old-space-size=80';

describe('a batch file of 240 MB run on this machine', () => {
  const folder = setUpFolder();

  it('is sent, and read again, in little memory', async function () {
    const { bavail, bsize } = statfsSync(folder.path());
    if (bavail * bsize < 2e9) this.skip();
    const program = await bundleProgram('test/support/localRunMemory.ts');
    const run = async (name: string) => {
      const out = await runProgram(process.execPath, [heap, program, folder.in(name), folder.in(`${name}.jsonl`)]);
      return JSON.parse(out) as { readonly end: string; readonly answered: number; readonly peakKb: number };
    };
    writeBatchFile(folder.in('small.jsonl'), fewer, (number) => batchLine(number, 20_000));
    writeBatchFile(folder.in('large.jsonl'), lines, (number) => batchLine(number, 20_000));
    const small = await run('small');
    for (const { end, answered, peakKb } of [await run('large'), await run('large')]) {
      assert.deepEqual([end, answered], ['finished', lines]);
      const over = (peakKb - small.peakKb) / 1024;
      assert.ok(over < spareMb, `${over} MB over a small run`);
    }
  });
});
