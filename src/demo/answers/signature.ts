import { hashOf } from '../seeded';

/** Returns a signature that proves that thinking is complete and the service's own. */
export function signatureOf(thinking: string, ask: string): string {
  return Buffer.from(`demo-signature:${hashOf(thinking)}:${hashOf(ask)}`).toString('base64');
}

export function isSignatureOf(signature: unknown, thinking: string): boolean {
  if (typeof signature !== 'string') return false;
  return Buffer.from(signature, 'base64')
    .toString()
    .startsWith(`demo-signature:${hashOf(thinking)}:`);
}
