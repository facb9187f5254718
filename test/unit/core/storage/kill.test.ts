import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../../../src/core/batch/transform/transforms';
import { bundleProgram } from '../../../support/programs';
import { runs, seedOf } from '../../../support/runs';
import { textOf } from '../../../support/storedTexts';
import { setUpFolder } from '../../../support/temporaryFolder';

const kills = runs(15, 100);

describe('storage whose process is killed', function () {
  this.timeout(runs(60_000, 600_000));
  const folder = setUpFolder();

  it(`has either the old or the new content, and every acknowledged line, after ${kills} kills`, async () => {
    const program = await bundleProgram('test/support/storageProgram.ts');
    const pick = createRandom(seedOf(11));
    const [file, log] = [folder.in('stored/file.txt'), folder.in('log.txt')];
    let last = 0;
    for (let killed = 0; killed < kills; killed++) {
      const child = spawn(process.execPath, [program, file, log, String(last + 1)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => (last = Number(line)));
      await once(lines, 'line');
      await delay(pick(60));
      child.kill('SIGKILL');
      await exited;
      await delay(10);

      const text = await readFile(file, 'utf8');
      const number = Number(text.slice(0, text.indexOf('\n')));
      ok(number === last || number === last + 1, `${number} is stored, ${last} was reported`);
      ok(text === textOf(number), `the file of ${number} is whole`);
      const found = (await readFile(log, 'utf8')).split('\n').filter((line) => /^\d+ again x*$/.test(line));
      for (const line of found) equal(line.split(' ')[2]?.length, Number(line.split(' ')[0]) % 5000);
      const numbers = found.map((line) => Number.parseInt(line, 10));
      const missing = Array.from({ length: last }, (_, index) => index + 1).filter((one) => !numbers.includes(one));
      deepEqual(missing, [], `${last} was reported`);
    }
  });
});
