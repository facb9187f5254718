import { type BatchRecord, isOver, unset } from '../batch/batchRecord';
import { startBatch } from '../batch/runBatch';
import type { Call, Endpoint } from '../call';
import { replacementModels } from '../catalogue';
import { badParameter, noSuchObject, Refusal } from '../refusal';
import { secondsOf } from '../service';
import { oneOf, optional, readStrictly, record, required, text } from '../validate';
import { assetUrl } from './assets';
import { wholeNumber } from './files';
import { createInlineBatch, inlineBatch, removeBatch, resultsOf } from './inlineBatches';

const fields = {
  input_file_id: required(text({ min: 1 })),
  endpoint: required(oneOf('/v1/chat/completions')),
  completion_window: required(text()),
  metadata: optional(record),
  replace: optional(record),
  // Some clients post the contents of the vendor's Python `extra_body` unchanged, which the service ignores.
  extra_body: optional(record),
};

/** The specification states two contradictory limits; the batch guide says 24 to 336 hours. */
function windowHours(value: string): number {
  const hours = Number(/^(\d{1,4})h$/.exec(value)?.[1]);
  if (Number.isNaN(hours) || hours < 24 || hours > 336)
    throw badParameter('completion_window: Input should be from 24h to 336h', 'completion_window');
  return hours;
}

function readMetadata(metadata: Record<string, unknown> | undefined): Record<string, string> {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > 16) throw badParameter('metadata: at most 16 pairs', 'metadata');
  return Object.fromEntries(
    pairs.map(([key, value]) => {
      if (key.length > 64) throw badParameter('metadata: keys should have at most 64 characters', 'metadata');
      return [key, text({ max: 512 })(value, `metadata.${key}`)];
    }),
  );
}

function readReplace(replace: Record<string, unknown> | undefined): string | null {
  if (replace === undefined) return null;
  return readStrictly(replace, { model: required(oneOf(...replacementModels)) }).model;
}

/** Returns the batch as the service shows it, with freshly signed result links. */
function shown(call: Call, batch: BatchRecord): Record<string, unknown> {
  const { service, fault } = call;
  if (batch.form === 'inline') return inlineBatch(call, batch);
  const { replaceModel: _, failAfter: __, outputAs, output_file_id: output, error_file_id: errors, ...rest } = batch;
  const expired = fault?.effect.kind === 'result' && fault.effect.how === 'expiredUrl';
  const idOrNull = (id: string | null) =>
    id === null || (outputAs === 'id' && !expired) ? id : assetUrl(service, `${id}.jsonl`, { expired });
  const tale = service.control.tales.get(batch.id);
  return { object: 'batch', ...rest, output_file_id: idOrNull(output), error_file_id: idOrNull(errors), ...tale };
}

function findBatch({ service, params }: Call): BatchRecord {
  const id = params['id'] ?? '';
  const batch = service.store.state.batches.find((item) => item.id === id && item.form !== 'messages');
  if (batch === undefined) throw noSuchObject('batch', id);
  return batch;
}

export const createBatch: Endpoint = {
  name: 'POST /batches',
  body: 'json',
  handle: async (call) => {
    const { service, reply } = call;
    if ('requests' in call.body) return createInlineBatch(call);
    const sent = readStrictly(call.body, fields);
    const input = service.store.state.files.find((file) => file.id === sent.input_file_id && file.kind === 'input');
    if (input === undefined) throw badParameter(`Value error, no such file: ${sent.input_file_id}`, 'input_file_id');
    const windowSeconds = windowHours(sent.completion_window) * 3600;
    const created = secondsOf(service.clock());
    const batch: BatchRecord = {
      id: `batch_${service.newId()}`,
      endpoint: sent.endpoint,
      errors: null,
      input_file_id: input.id,
      completion_window: sent.completion_window,
      status: 'in_queue',
      output_file_id: null,
      error_file_id: null,
      created_at: created,
      expires_at: created + (service.control.batch.windowSeconds ?? windowSeconds),
      ...unset,
      request_counts: null,
      metadata: readMetadata(sent.metadata),
      replaceModel: readReplace(sent.replace),
      outputAs: service.control.batch.outputAs,
      ...(service.control.batch.failAfter !== undefined && { failAfter: service.control.batch.failAfter }),
    };
    service.store.state.batches.push(batch);
    await service.store.save();
    const answer = shown(call, batch);
    startBatch(service, batch);
    return reply.json(200, answer);
  },
};

export const listBatches: Endpoint = {
  name: 'GET /batches',
  body: 'none',
  handle: (call) => {
    const { service, query, reply } = call;
    const { limit = Infinity, after } = readStrictly(Object.fromEntries(query), {
      limit: optional(wholeNumber),
      after: optional(text()),
    });
    const newest = service.store.state.batches.filter(({ form }) => form !== 'messages').toReversed();
    const last = newest.findIndex((batch) => batch.id === after);
    if (after !== undefined && last < 0) throw badParameter(`Value error, no such batch: ${after}`, 'after');
    const start = last + 1;
    const data = newest.slice(start, start + limit).map((batch) => ({
      ...shown(call, batch),
      file_name: service.store.state.files.find((file) => file.id === batch.input_file_id)?.filename ?? '',
    }));
    const ids = newest.slice(start, start + limit).map((batch) => batch.id);
    return reply.json(200, {
      object: 'list',
      data,
      first_id: ids[0] ?? '',
      last_id: ids.at(-1) ?? '',
      has_more: start + limit < newest.length,
    });
  },
};

export const getBatch: Endpoint = {
  name: 'GET /batches/{id}',
  body: 'none',
  handle: async (call) => {
    const batch = findBatch(call);
    const idOrNull = shown(call, batch);
    return call.reply.json(
      200,
      batch.form === 'inline' ? { ...idOrNull, results: await resultsOf(call, batch) } : idOrNull,
    );
  },
};

export const cancelBatch: Endpoint = {
  name: 'POST /batches/{id}/cancel',
  body: 'none',
  handle: async (call) => {
    const batch = findBatch(call);
    if (batch.form === 'inline') throw new Refusal(404, 404, 'Not Found');
    if (isOver(batch) || batch.status === 'finalizing')
      throw badParameter(`Value error, a batch that is ${batch.status} cannot be cancelled.`);
    batch.cancelling_at ??= secondsOf(call.service.clock());
    batch.status = 'cancelling';
    // It may be over by the time this is saved.
    const answer = shown(call, batch);
    await call.service.store.save();
    return call.reply.json(200, answer);
  },
};

export const deleteBatch: Endpoint = {
  name: 'DELETE /batches/{id}',
  body: 'none',
  handle: async (call) => {
    const batch = findBatch(call);
    if (batch.form !== 'inline') throw noSuchObject('batch', batch.id);
    await removeBatch(call, batch);
    return call.reply.json(200, { id: batch.id, object: 'batch', deleted: true, deletion: { openrouter: 'deleted' } });
  },
};
