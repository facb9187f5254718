import { nowSeconds, randomId } from './chatForm';
import { isRecord, jsonOf, recordsOf, Refusal, type Asked, type Reply, type Route } from './loopbackService';
import { anthropicId } from './messagesForm';

type Body = Readonly<Record<string, unknown>>;
type Answer = (endpoint: string, body: Body) => Reply;

interface Stored {
  readonly id: string;
  readonly request: Body;
  readonly createdAt: number;
  /** The clock's milliseconds at which it is ready. */
  readonly readyAt: number;
  endedAt?: number;
  canceledAt?: number;
  results?: readonly Result[];
}

interface Result {
  readonly custom_id: unknown;
  /** Missing if the request wasn't run. */
  readonly reply?: Reply;
}

/** The default duration of a batch. */
const usualMs = 700;
const mostRequests = { messages: 100_000, openRouter: 5000 } as const;

export interface BatchPace {
  readonly batchMs?: number;
}

/** Stores batches, each of which runs when it is first requested after it is ready. */
class Shelf {
  private readonly all: Stored[] = [];

  constructor(
    private readonly answer: (stored: Stored, request: Body) => Reply,
    private readonly missing: (id: string) => Reply,
    private readonly ms: number,
  ) {}

  add(id: string, request: Body): Stored {
    const stored: Stored = { id, request, createdAt: nowSeconds(), readyAt: Date.now() + this.ms };
    this.all.push(stored);
    return stored;
  }

  get(id: string): Stored {
    const stored = this.all.find((one) => one.id === id);
    if (!stored) throw new Refusal(this.missing(id));
    return this.current(stored);
  }

  delete(stored: Stored): void {
    this.all.splice(this.all.indexOf(stored), 1);
  }

  page(query: URLSearchParams, cursor: string) {
    const limit = Number(query.get('limit') ?? 20);
    const newest = this.all.toReversed();
    const after = query.get(cursor);
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const page = newest.slice(from, from + limit).map((stored) => this.current(stored));
    const ids = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
    return { page, rest: { ...ids, has_more: from + limit < newest.length } };
  }

  private current(stored: Stored): Stored {
    if (stored.results || (Date.now() < stored.readyAt && stored.canceledAt === undefined)) return stored;
    const isRun = stored.canceledAt === undefined;
    stored.endedAt = nowSeconds();
    stored.results = recordsOf(stored.request['requests'])
      .map((one) => ({ custom_id: one['custom_id'], ...(isRun && { reply: this.run(stored, one) }) }))
      .toReversed();
    return stored;
  }

  private run(stored: Stored, one: Body): Reply {
    try {
      return this.answer(stored, one);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  }
}

const isGood = ({ reply }: Result) => reply !== undefined && (reply.status ?? 200) === 200;

/** Creates the Message Batches of Anthropic: https://platform.claude.com/docs/en/api/messages/batches. `refuse` throws its error. */
export function messageBatches(
  answer: Answer,
  refuse: (message: string, status?: number, type?: string) => never,
  { batchMs = usualMs }: BatchPace = {},
): Record<string, Route> {
  const missing = (id: string) => ({
    status: 404,
    json: { type: 'error', error: { type: 'not_found_error', message: `No message batch: ${id}` } },
  });
  const run = (_: Stored, { params }: Body) => answer('/v1/messages', isRecord(params) ? params : {});
  const shelf = new Shelf(run, missing, batchMs);
  const shown = ({ id, request, createdAt, endedAt, canceledAt, results }: Stored, host: string) => {
    const total = recordsOf(request['requests']).length;
    const succeeded = results?.filter(isGood).length ?? 0;
    const canceled = results?.filter(({ reply }) => reply === undefined).length ?? 0;
    const time = (seconds: number | undefined) =>
      seconds === undefined ? null : new Date(seconds * 1000).toISOString();
    return {
      id,
      type: 'message_batch',
      processing_status: results ? 'ended' : canceledAt === undefined ? 'in_progress' : 'canceling',
      request_counts: {
        processing: results ? 0 : total,
        succeeded,
        errored: results ? total - succeeded - canceled : 0,
        canceled,
        expired: 0,
      },
      created_at: time(createdAt),
      expires_at: time(createdAt + 86_400),
      ended_at: time(endedAt),
      cancel_initiated_at: time(canceledAt),
      archived_at: null,
      results_url: results ? `https://${host}/v1/messages/batches/${id}/results` : null,
    };
  };
  const show = ({ headers }: Asked, stored: Stored): Reply => ({ json: shown(stored, String(headers.host)) });
  return {
    'POST /messages/batches': (asked) => {
      const body = jsonOf(asked) ?? refuse('The request body is not valid JSON');
      const odd = Object.keys(body).find((name) => name !== 'requests');
      if (odd !== undefined) refuse(`${odd}: Extra inputs are not permitted`);
      const requests = recordsOf(body['requests']);
      if (requests.length === 0) refuse('requests: List should have at least 1 item after validation, not 0');
      if (requests.length > mostRequests.messages) refuse('requests: List should have at most 100000 items');
      checkRequests(requests, refuse);
      return show(asked, shelf.add(anthropicId('msgbatch'), body));
    },
    'GET /messages/batches': ({ query, headers }) => {
      const { page, rest } = shelf.page(query, 'after_id');
      return { json: { data: page.map((stored) => shown(stored, String(headers.host))), ...rest } };
    },
    'GET /messages/batches/{id}': (asked) => show(asked, shelf.get(asked.id)),
    'POST /messages/batches/{id}/cancel': (asked) => {
      const stored = shelf.get(asked.id);
      if (stored.results) refuse('Message Batch cannot be canceled because it has ended');
      stored.canceledAt ??= nowSeconds();
      return { json: { ...shown(stored, String(asked.headers.host)), processing_status: 'canceling' } };
    },
    'GET /messages/batches/{id}/results': ({ id }) => {
      const { results } = shelf.get(id);
      if (!results) return missing(id);
      const lines = results.map(
        ({ custom_id, reply }) => `${JSON.stringify({ custom_id, result: resultOf(reply) })}\n`,
      );
      return { headers: { 'content-type': 'application/x-jsonl' }, raw: lines.join('') };
    },
    'DELETE /messages/batches/{id}': ({ id }) => {
      const stored = shelf.get(id);
      if (!stored.results) refuse('Message Batch cannot be deleted while it is being processed');
      shelf.delete(stored);
      return { json: { id, type: 'message_batch_deleted' } };
    },
  };
}

function resultOf(reply: Reply | undefined) {
  if (!reply) return { type: 'canceled' };
  return (reply.status ?? 200) === 200
    ? { type: 'succeeded', message: reply.json }
    : { type: 'errored', error: reply.json };
}

function checkRequests(requests: readonly Body[], refuse: (message: string) => never): void {
  const ids = new Set<unknown>();
  for (const [index, { custom_id: id, params, ...rest }] of requests.entries()) {
    const at = `requests.${index}`;
    const odd = Object.keys(rest)[0];
    if (odd !== undefined) refuse(`${at}.${odd}: Extra inputs are not permitted`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(id))) {
      refuse(`${at}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
    }
    if (ids.has(id)) refuse(`${at}.custom_id: custom_id "${String(id)}" is used by another request of the batch`);
    ids.add(id);
    if (!isRecord(params)) refuse(`${at}.params: Field required`);
    if (params['stream'] === true) refuse(`${at}.params.stream: Streaming is not supported in a batch`);
  }
}

/** Creates the batches of OpenRouter: https://openrouter.ai/docs/batch-quickstart. They can't be canceled. */
export function openRouterBatches(
  answer: Answer,
  refusal: (code: number, message: string) => Reply,
  { batchMs = usualMs }: BatchPace = {},
): Record<string, Route> {
  const run = ({ request }: Stored, { body }: Body) =>
    answer(String(request['endpoint']), { ...(isRecord(body) ? body : {}), model: request['model'] });
  const shelf = new Shelf(run, () => refusal(404, 'Batch not found'), batchMs);
  const refuse = (message: string, code = 400): never => {
    throw new Refusal(refusal(code, message));
  };
  const shown = ({ id, request, createdAt, endedAt, results }: Stored, withResults: boolean) => {
    const completed = results?.filter(isGood).length ?? 0;
    return {
      id,
      object: 'batch',
      endpoint: request['endpoint'],
      model: request['model'],
      completion_window: '24h',
      status: results ? 'completed' : 'in_progress',
      created_at: createdAt,
      finalized_at: endedAt ?? null,
      request_counts: {
        total: recordsOf(request['requests']).length,
        completed,
        failed: results ? results.length - completed : 0,
      },
      usage: results ? { cost: 0.0012, is_byok: false } : null,
      results: results && withResults ? results.map(toResult) : null,
      error: null,
    };
  };
  return {
    'POST /batches': (asked) => {
      const body = jsonOf(asked) ?? refuse('Invalid JSON body');
      const names = Object.keys(body);
      if (names.indexOf('requests') < Math.max(names.indexOf('endpoint'), names.indexOf('model'))) {
        refuse('`endpoint` and `model` must come before `requests`');
      }
      const requests = recordsOf(body['requests']);
      if (requests.length === 0) refuse('requests must not be empty');
      if (requests.length > mostRequests.openRouter) refuse('A batch has at most 5000 requests', 413);
      const other = requests.find(
        ({ body: own }) => isRecord(own) && (own['model'] ?? body['model']) !== body['model'],
      );
      if (other) refuse(`The model of ${String(other['custom_id'])} differs from that of the batch`, 422);
      return { status: 202, json: { ...shown(shelf.add(`batch_${randomId()}`, body), false), status: 'validating' } };
    },
    'GET /batches': ({ query }) => {
      const { page, rest } = shelf.page(query, 'after');
      return { json: { object: 'list', data: page.map((stored) => shown(stored, false)), ...rest } };
    },
    'GET /batches/{id}': ({ id }) => ({ json: shown(shelf.get(id), true) }),
    'DELETE /batches/{id}': ({ id }) => {
      const stored = shelf.get(id);
      if (!stored.results) refuse('The batch is still in progress', 409);
      shelf.delete(stored);
      return { json: { id, object: 'batch', deletion: { openrouter: 'deleted' } } };
    },
  };
}

function toResult({ custom_id, reply }: Result) {
  const id = `batch_req_${randomId()}`;
  const status = reply?.status ?? 200;
  if (status !== 200) return { id, custom_id, response: null, error: { code: status, message: 'Provider error' } };
  return { id, custom_id, response: { status_code: 200, request_id: randomId(), body: reply?.json }, error: null };
}
