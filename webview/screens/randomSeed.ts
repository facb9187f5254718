import { mostSeed } from '../../src/protocol/mediaBounds';

/** Returns a random seed. `random` is from 0 to below 1. */
export function randomSeed(random: number): string {
  return String(Math.floor(random * (mostSeed + 1)));
}
