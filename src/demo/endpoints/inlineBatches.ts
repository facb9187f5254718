import { readFile, rm } from 'node:fs/promises';
import { writeAtomic } from '../../core/storage/atomicFile';
import { type BatchRecord, isOver, unset } from '../batch/batchRecord';
import { readLine, readParams, startBatch } from '../batch/runBatch';
import type { Call } from '../call';
import { badParameter, Refusal } from '../refusal';
import { secondsOf } from '../service';
import { list, oneOf, optional, readStrictly, record, required, text } from '../validate';

/** The most requests of a batch in each of the two forms. */
const most = { messages: 100_000, inline: 5000 } as const;

const fields = {
  endpoint: required(oneOf('/v1/chat/completions')),
  model: required(text({ min: 1 })),
  completion_window: optional(oneOf('24h')),
  requests: required(list(record, { min: 1, max: most.inline })),
};

/** Creates a batch in OpenRouter's form: `endpoint` and `model` come before the requests, and no request is for another model. */
export async function createInlineBatch(call: Call): Promise<void> {
  const names = Object.keys(call.body);
  const isInOrder = names.indexOf('requests') > Math.max(names.indexOf('endpoint'), names.indexOf('model'));
  if (!isInOrder) throw badParameter('endpoint and model must come before requests', 'requests');
  const { endpoint, model, requests } = readStrictly(call.body, fields);
  const lines = requests.map(({ custom_id, body }) => {
    const own = { ...(body as Record<string, unknown>) };
    if (own['model'] !== undefined && own['model'] !== model) {
      throw badParameter(`requests: model of ${String(custom_id)} differs from ${model}`, 'requests');
    }
    return JSON.stringify({ custom_id, body: { ...own, model } });
  });
  const batch = await startInline(call, { form: 'inline', endpoint, model, lines });
  return call.reply.json(202, inlineBatch(call, batch));
}

interface InlineRequests {
  readonly form: 'messages' | 'inline';
  readonly endpoint: string;
  readonly model?: string;
  /** Each a request in its form, as JSON. */
  readonly lines: readonly string[];
}

/** Stores and starts a batch whose requests came with it. Throws a refusal for the first that is invalid. */
export async function startInline({ service }: Call, { lines, ...known }: InlineRequests): Promise<BatchRecord> {
  const ids = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const read = known.form === 'messages' ? readParams(line) : readLine(line);
    if (typeof read === 'string') throw badParameter(`requests.${index}.${read}`, 'requests');
    if (ids.has(read.customId)) throw badParameter(`requests.${index}.custom_id is used twice`, 'requests');
    ids.add(read.customId);
  }
  const created = secondsOf(service.clock());
  const input = `file-${service.newId()}`;
  await writeAtomic(service.store.pathOf('files', `${input}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  const batch: BatchRecord = {
    ...known,
    id: known.form === 'messages' ? `msgbatch_${service.newId()}` : `batch_${service.newId()}`,
    input_file_id: input,
    completion_window: '24h',
    created_at: created,
    expires_at: created + (service.control.batch.windowSeconds ?? 24 * 3600),
    metadata: {},
    replaceModel: null,
    outputAs: 'id',
    status: 'in_queue',
    errors: null,
    output_file_id: null,
    error_file_id: null,
    ...unset,
    request_counts: { total: lines.length, completed: 0, failed: 0 },
  };
  service.store.state.batches.push(batch);
  await service.store.save();
  startBatch(service, batch);
  return batch;
}

/** Returns a batch in OpenRouter's form as lists have it: without its results. */
export function inlineBatch({ service }: Call, batch: BatchRecord): Record<string, unknown> {
  const { id, endpoint, model, completion_window, status, created_at, request_counts } = batch;
  const end = batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
  return {
    id,
    object: 'batch',
    endpoint,
    model,
    completion_window,
    status: status === 'in_queue' ? 'validating' : status,
    created_at,
    finalized_at: end,
    request_counts,
    usage: null,
    results: null,
    error: batch.errors === null ? null : { message: batch.errors.join('; ') },
    ...service.control.tales.get(id),
  };
}

export async function resultsOf({ service }: Call, batch: BatchRecord): Promise<readonly unknown[] | null> {
  if (batch.status !== 'completed' || batch.output_file_id === null) return null;
  const lines = await readFile(service.store.pathOf('files', `${batch.output_file_id}.jsonl`), 'utf8');
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

/** Deletes a batch with its requests and results. Throws a refusal while it is in progress. */
export async function removeBatch({ service }: Call, batch: BatchRecord): Promise<void> {
  if (!isOver(batch)) throw new Refusal(409, 409, `The batch ${batch.id} is still in progress.`);
  const { state } = service.store;
  const files = [batch.input_file_id, batch.output_file_id, batch.error_file_id].filter((id) => id !== null);
  state.batches = state.batches.filter((item) => item !== batch);
  state.files = state.files.filter(({ id }) => !files.includes(id));
  await service.store.save();
  for (const id of files) await rm(service.store.pathOf('files', `${id}.jsonl`), { force: true });
}
