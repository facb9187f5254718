import type { Timers, Work } from './transport';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Timeouts by kind of work. Reasoning models think for a minute or more before their first token, and the vendor's own client
 * allows 300 s between two reads.
 */
export const workTimers: Readonly<Record<Work, Timers>> = {
  read: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: 2 * minute },
  poll: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: minute },
  change: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: 2 * minute },
  text: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 5 * minute, totalMs: hour },
  rerank: { connectMs: 15 * second, firstByteMs: 2 * minute, idleMs: minute, totalMs: 5 * minute },
  paid: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 2 * minute, totalMs: 15 * minute },
  upload: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 2 * minute, totalMs: 6 * hour },
};
