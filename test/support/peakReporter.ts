import { peakKb } from './peakMemory';

/** `node --import peakReporter.js …` makes a program print its peak memory when it ends. */
process.on('exit', () => process.stderr.write(`peak ${peakKb()} kB\n`));
