import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { bundleProgram } from '../support/programs';
import { setUpFolder } from '../support/temporaryFolder';

const lines = 50_000;
const lineBytes = 20_500;
const badLine = lines - 3;
const spareMb = 60;
describe('A batch file of 1 GB', () => {
  const folder = setUpFolder();

  it('is checked by the command line up to its one bad line near the end, in little memory', async function () {
    const { bavail, bsize } = statfsSync(folder.path());
    if (bavail * bsize < 3e9) this.skip();
    const file = folder.in('large.jsonl');
    const withoutColon = batchLine(badLine, lineBytes).replace('"messages":', '"messages"');
    const column = withoutColon.indexOf('"messages"') + '"messages"'.length + 1;
    const bytes = writeBatchFile(file, lines, (number) =>
      number === badLine ? withoutColon : batchLine(number, lineBytes),
    );
    assert.ok(bytes > 1e9 && bytes < 2 ** 30, `the file has ${bytes} bytes`);
    const small = folder.in('small.jsonl');
    writeBatchFile(small, 10, (number) => batchLine(number, lineBytes));

    const reporter = pathToFileURL(await bundleProgram('test/support/peakReporter.ts')).href;
    const idle = await check(reporter, small);
    const { code, out, peakKb } = await check(reporter, file);

    assert.equal(code, 1);
    assert.deepEqual(
      out.split('\n').map((line) => line.slice(file.length).split(' ').slice(0, 3).join(' ')),
      [':5001:1: error file.too-many-requests', `:${badLine + 1}:${column}: error line.not-json`, ''],
    );
    const overIdleMb = (peakKb - idle.peakKb) / 1024;
    assert.ok(overIdleMb <= spareMb, `${overIdleMb} MB over a small check`);
  });
});

async function check(reporter: string, file: string) {
  const child = spawn(process.execPath, ['--import', reporter, 'dist/checkBatch.js', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.err += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, out: output.out, peakKb: Number(/peak (\d+)/.exec(output.err)?.[1]) };
}
