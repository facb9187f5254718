import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A question and an answer fit well into it. */
const maxAnswerBytes = 1024;
const timeoutMs = 1500;
const digits = /^[\da-f]{64}$/;

/** What a started service shares with the readers of its folder alone. 64 hexadecimal digits. */
export const newSecret = (): string => randomBytes(32).toString('hex');

export const isSecret = (value: unknown): value is string => typeof value === 'string' && digits.test(value);

/** The answer to a nonce, for one host and port alone: passed on by another program it proves nothing. `undefined`: no nonce. */
export function proofOf(secret: string, nonce: string, host: string): string | undefined {
  if (!digits.test(nonce)) return undefined;
  return createHmac('sha256', secret).update(`inference-desk-demo\n${nonce}\n${host}`).digest('hex');
}

/** Whether what listens on the port of this machine knows the secret. It is sent a fresh nonce and nothing else. */
export async function proves(port: number, secret: string): Promise<boolean> {
  const host = `127.0.0.1:${port}`;
  const nonce = newSecret();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://${host}/_control/proof?nonce=${nonce}`, { signal, redirect: 'error' });
    const { proof } = JSON.parse(await firstText(response)) as { readonly proof?: unknown };
    const wanted = proofOf(secret, nonce, host);
    return wanted !== undefined && isSecret(proof) && timingSafeEqual(Buffer.from(proof), Buffer.from(wanted));
  } catch {
    return false;
  }
}

/** Throws where a stranger answers with more than a proof. */
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
