import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { findModel } from '../catalogue';
import { faultNameOf } from '../faults';
import { isRecord } from '../validate';

/** From the batch guide: 5000 requests in one file. */
const maxLines = 5000;
const maxErrors = 20;

export interface BatchLine {
  readonly customId: string;
  readonly body: Record<string, unknown>;
}

/** The lines of a file that hold something, with their numbers from 1. */
export async function* filledLines(path: string): AsyncGenerator<{ readonly text: string; readonly number: number }> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() !== '') yield { text: number === 1 ? text.replace(/^\uFEFF/, '') : text, number };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request line, or the words for what is wrong with it. */
export function readLine(text: string): BatchLine | string {
  const value = parse(text);
  if (!isRecord(value)) return 'not a JSON object';
  const { custom_id: customId, method, url, body } = value;
  if (typeof customId !== 'string' || customId === '') return 'custom_id is missing';
  if (method !== undefined && method !== 'POST') return 'method must be POST';
  if (url !== undefined && url !== '/v1/chat/completions') return 'url must be /v1/chat/completions';
  if (!isRecord(body)) return 'body is missing';
  if (!Array.isArray(body['messages']) || body['messages'].length === 0) return 'body.messages is missing';
  const last: unknown = body['messages'].at(-1);
  if (!isRecord(last) || last['role'] !== 'user') return 'messages must end with a message of the user';
  return { customId, body };
}

function modelProblem(model: unknown, first: string | undefined): string | undefined {
  if (typeof model !== 'string') return 'body.model is missing';
  if (faultNameOf(model) !== undefined) return undefined;
  if (findModel(model)?.subType !== 'chat') return `model ${model} does not exist`;
  return first !== undefined && first !== model
    ? `model ${model} differs from ${first}: one batch, one model`
    : undefined;
}

/** Judges the whole file as the service does before it begins. No errors: it may run. */
export async function checkBatchFile(
  path: string,
  replaceModel: string | null,
): Promise<{ readonly total: number; readonly errors: readonly string[] }> {
  const errors: string[] = [];
  const ids = new Set<string>();
  let total = 0;
  let first: string | undefined;
  for await (const { text, number } of filledLines(path)) {
    total += 1;
    if (errors.length >= maxErrors) continue;
    const line = readLine(text);
    if (typeof line === 'string') {
      errors.push(`line ${number}: ${line}`);
      continue;
    }
    if (ids.has(line.customId)) errors.push(`line ${number}: custom_id ${line.customId} is used twice`);
    ids.add(line.customId);
    const { model } = line.body;
    const problem = replaceModel === null ? modelProblem(model, first) : undefined;
    if (problem !== undefined) errors.push(`line ${number}: ${problem}`);
    if (typeof model === 'string' && faultNameOf(model) === undefined) first ??= model;
  }
  if (total === 0) errors.push('the file holds no requests');
  if (total > maxLines) errors.push(`the file holds ${total} requests; at most ${maxLines} are taken`);
  return { total, errors };
}
