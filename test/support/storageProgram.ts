import { openAppendLog } from '../../src/core/storage/appendLog';
import { writeAtomic } from '../../src/core/storage/atomicFile';
import { textOf } from './storedTexts';

/** Replaces a file and appends to a log until it ends: `<file> <log> <number>`. Prints each stored number. */
const [file = '', path = '', first = '0'] = process.argv.slice(2);
const log = await openAppendLog(path);
for (let number = Number(first); ; number++) {
  await Promise.all([
    writeAtomic(file, textOf(number)),
    log.append(`${number}\n`, { isDurable: number % 3 === 0 }),
    log.append(`${number} again ${'x'.repeat(number % 5000)}\n`),
  ]);
  process.stdout.write(`${number}\n`);
}
