import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** More than enough for a proof. */
const maxAnswerBytes = 1024;
const timeoutMs = 1500;
const digits = /^[\da-f]{64}$/;

/** Returns the secret that a started service shares only with those who can read its folder: 64 hexadecimal digits. */
export const newSecret = (): string => randomBytes(32).toString('hex');

export const isSecret = (value: unknown): value is string => typeof value === 'string' && digits.test(value);

/**
 * Returns the answer to a nonce, valid for one host and port only, so that another program cannot relay it. `undefined` if it is not a
 * nonce.
 */
export function proofOf(secret: string, nonce: string, host: string): string | undefined {
  if (!digits.test(nonce)) return undefined;
  return createHmac('sha256', secret).update(`inference-desk-demo\n${nonce}\n${host}`).digest('hex');
}

/** Whether the listener on that port of this machine knows the secret. Sends it a fresh nonce and nothing else. */
export async function proves(port: number, secret: string): Promise<boolean> {
  const host = `127.0.0.1:${port}`;
  const nonce = newSecret();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://${host}/_control/proof?nonce=${nonce}`, { signal, redirect: 'error' });
    const { proof } = JSON.parse(await firstText(response)) as { readonly proof?: unknown };
    const expected = proofOf(secret, nonce, host);
    return expected !== undefined && isSecret(proof) && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
  } catch {
    return false;
  }
}

/** Throws if a stranger answers with more than a proof. */
async function firstText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxAnswerBytes) throw new Error('The answer is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
