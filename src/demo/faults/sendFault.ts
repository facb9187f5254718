import { errorBody } from '../refusal';
import type { Reply } from '../reply';
import { isRecord } from '../validate';
import type { FaultEffect } from './fault';

type AnswerEffect = Extract<FaultEffect, { kind: 'answer' }>;

/** Sends a fault's answer instead of the right one, in the endpoint's error shape. */
export function sendFault(
  reply: Reply,
  effect: AnswerEffect,
  shape: 'platform' | 'provider',
  now: number,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(effect.headers ?? {}).map(([name, value]) => [
      name,
      value.startsWith('date:') ? new Date(now + Number(value.slice(5)) * 1000).toUTCString() : value,
    ]),
  );
  if (typeof effect.body === 'string') {
    return reply.text(effect.status, effect.body, {
      ...headers,
      ...(effect.contentType === undefined ? {} : { 'Content-Type': effect.contentType }),
    });
  }
  return reply.json(effect.status, inShape(effect, shape), headers);
}

function inShape({ body, status }: AnswerEffect, shape: 'platform' | 'provider'): unknown {
  if (shape === 'platform' || status < 400 || !isRecord(body) || typeof body['message'] !== 'string') return body;
  const code = typeof body['code'] === 'number' ? body['code'] : null;
  return errorBody('provider', { code, message: body['message'] });
}
