import { checkFile } from '../../src/core/batch/disk/checkFile';
import { peakKb } from './peakMemory';

/** `node checkClient.js <small file> <file>`: runs a check in a separate process, so that its peak memory is the check's. */
const [small = '', file = ''] = process.argv.slice(2);
const onProblem = () => {};

// Code that is loaded once belongs to the idle program.
await checkFile(small, { onProblem });
const idleKb = peakKb();
const { requests } = await checkFile(file, { onProblem });
const overIdleMb = (peakKb() - idleKb) / 1024;
process.stdout.write(`${JSON.stringify({ requests, overIdleMb })}\n`);
