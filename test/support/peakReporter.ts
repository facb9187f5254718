import { peakKb } from './peakMemory';

/** `node --import peakReporter.js …` has a program say, when it ends, how much memory it had at most. */
process.on('exit', () => process.stderr.write(`peak ${peakKb()} kB\n`));
