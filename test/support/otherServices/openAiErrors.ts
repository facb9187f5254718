import { Refusal, type Reply } from './loopbackService';

interface Reported {
  readonly status?: number;
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** Returns OpenAI's error body. */
export function openAiError(message: string, reported: Reported = {}): Reply {
  const { status = 400, type = 'invalid_request_error', param = null, code = null } = reported;
  return { status, json: { error: { message, type, param, code } } };
}

export function refuse(message: string, reported: Reported = {}): never {
  throw new Refusal(openAiError(message, reported));
}

/** Returns a key as its rejection shows it: its beginning and its end. */
export function masked(key: string): string {
  return key.length <= 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
}
