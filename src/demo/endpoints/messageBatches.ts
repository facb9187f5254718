import { stat } from 'node:fs/promises';
import { type BatchRecord, isOver } from '../batch/batchRecord';
import type { Call, Endpoint } from '../call';
import { badParameter, noSuchObject } from '../refusal';
import { secondsOf } from '../service';
import { list, optional, readStrictly, record, required, text } from '../validate';
import { wholeNumber } from './files';
import { removeBatch, startInline } from './inlineBatches';

/** The operations of Anthropic's Message Batches; all take the key as `/messages` does. */
const shape = { takesApiKeyHeader: true } as const;

const fields = { requests: required(list(record, { min: 1, max: 100_000 })) };

const timeText = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());

function shown({ service }: Call, batch: BatchRecord): Record<string, unknown> {
  const { id, created_at, expires_at, cancelling_at, request_counts: counts, unrun = 0 } = batch;
  const { total = 0, completed = 0, failed = 0 } = counts ?? {};
  const isEnded = isOver(batch);
  const ended = batch.completed_at ?? batch.cancelled_at ?? batch.expired_at ?? batch.failed_at;
  return {
    id,
    type: 'message_batch',
    processing_status: isEnded ? 'ended' : batch.status === 'cancelling' ? 'canceling' : 'in_progress',
    // All of them count as being processed until the batch has ended.
    request_counts: {
      processing: isEnded ? 0 : total,
      succeeded: isEnded ? completed : 0,
      errored: isEnded ? failed - unrun : 0,
      canceled: batch.status === 'cancelled' ? unrun : 0,
      expired: batch.status === 'expired' ? unrun : 0,
    },
    created_at: timeText(created_at),
    expires_at: timeText(expires_at),
    ended_at: isEnded ? timeText(ended) : null,
    cancel_initiated_at: timeText(cancelling_at),
    archived_at: null,
    results_url: isEnded ? `${service.origin()}/v1/messages/batches/${id}/results` : null,
    ...service.control.tales.get(id),
  };
}

function find({ service, params }: Call): BatchRecord {
  const id = params['id'] ?? '';
  const batch = service.store.state.batches.find((item) => item.id === id && item.form === 'messages');
  if (batch === undefined) throw noSuchObject('message batch', id);
  return batch;
}

export const createMessageBatch: Endpoint = {
  ...shape,
  name: 'POST /messages/batches',
  body: 'json',
  handle: async (call) => {
    const { requests } = readStrictly(call.body, fields);
    const lines = requests.map((request) => JSON.stringify(request));
    return call.reply.json(
      200,
      shown(call, await startInline(call, { form: 'messages', endpoint: '/v1/messages', lines })),
    );
  },
};

export const listMessageBatches: Endpoint = {
  ...shape,
  name: 'GET /messages/batches',
  body: 'none',
  handle: (call) => {
    const { limit = 20, after_id: after } = readStrictly(Object.fromEntries(call.query), {
      limit: optional(wholeNumber),
      after_id: optional(text()),
    });
    const newest = call.service.store.state.batches.filter(({ form }) => form === 'messages').toReversed();
    const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const page = newest.slice(start, start + limit);
    return call.reply.json(200, {
      data: page.map((batch) => shown(call, batch)),
      has_more: start + limit < newest.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    });
  },
};

export const getMessageBatch: Endpoint = {
  ...shape,
  name: 'GET /messages/batches/{id}',
  body: 'none',
  handle: (call) => call.reply.json(200, shown(call, find(call))),
};

export const messageBatchResults: Endpoint = {
  ...shape,
  name: 'GET /messages/batches/{id}/results',
  body: 'none',
  handle: async (call) => {
    const batch = find(call);
    if (batch.output_file_id === null) throw noSuchObject('results of message batch', batch.id);
    const path = call.service.store.pathOf('files', `${batch.output_file_id}.jsonl`);
    return call.reply.file(path, (await stat(path)).size, { 'Content-Type': 'application/x-jsonl' });
  },
};

export const cancelMessageBatch: Endpoint = {
  ...shape,
  name: 'POST /messages/batches/{id}/cancel',
  body: 'none',
  handle: async (call) => {
    const batch = find(call);
    if (isOver(batch) || batch.status === 'finalizing')
      throw badParameter(`Value error, a batch that has ended cannot be canceled.`);
    batch.cancelling_at ??= secondsOf(call.service.clock());
    batch.status = 'cancelling';
    const answer = shown(call, batch);
    await call.service.store.save();
    return call.reply.json(200, answer);
  },
};

export const deleteMessageBatch: Endpoint = {
  ...shape,
  name: 'DELETE /messages/batches/{id}',
  body: 'none',
  handle: async (call) => {
    const batch = find(call);
    await removeBatch(call, batch);
    return call.reply.json(200, { id: batch.id, type: 'message_batch_deleted' });
  },
};
