import { mostSeed } from '../../src/protocol/mediaBounds';

/** `random`: from 0 to below 1. */
export function randomSeed(random: number): string {
  return String(Math.floor(random * (mostSeed + 1)));
}
