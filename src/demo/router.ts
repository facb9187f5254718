import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import type { Call, Endpoint } from './call';
import { takeArmed } from './controlState';
import { assetEndpoint } from './endpoints/assets';
import { cancelBatch, createBatch, deleteBatch, getBatch, listBatches } from './endpoints/batches';
import { chatCompletions } from './endpoints/chatCompletions';
import { completions } from './endpoints/completions';
import { embeddings } from './endpoints/embeddings';
import { deleteFile, fileContent, listFiles, uploadFile } from './endpoints/files';
import { images } from './endpoints/images';
import {
  cancelMessageBatch,
  createMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  listMessageBatches,
  messageBatchResults,
} from './endpoints/messageBatches';
import { messages } from './endpoints/messages';
import { models, userInfo } from './endpoints/models';
import { rerank } from './endpoints/rerank';
import { speech, transcriptions, deleteVoice, listVoices, uploadVoice } from './endpoints/speech';
import { videoStatus, videoSubmit } from './endpoints/video';
import { faultNameOf, faults, findFault } from './faults';
import type { Fault } from './faults/fault';
import { sendFault } from './faults/sendFault';
import { Refusal, badParameter, errorBody, unknownModel } from './refusal';
import { Reply } from './reply';
import { type RequestBody, discard, readForm, readJson } from './requestBody';
import { type Service, demoPath } from './service';
import { type EndpointName, allEndpoints } from './endpointNames';
import { type Pace, paces, toPace } from './pace';
import { integer, isRecord, number, oneOf, optional, readStrictly, record, required, text } from './validate';

/** Every operation below the version segment, one line each. */
const endpoints: readonly Endpoint[] = [
  userInfo,
  models,
  uploadFile,
  listFiles,
  fileContent,
  deleteFile,
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,
  deleteBatch,
  createMessageBatch,
  listMessageBatches,
  getMessageBatch,
  messageBatchResults,
  cancelMessageBatch,
  deleteMessageBatch,
  messages,
  chatCompletions,
  completions,
  rerank,
  embeddings,
  images,
  videoSubmit,
  videoStatus,
  uploadVoice,
  listVoices,
  deleteVoice,
  speech,
  transcriptions,
];

interface Exchange {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly reply: Reply;
  body: RequestBody;
}

const noBody: RequestBody = { values: {}, files: [], size: 0 };

/** Returns the target without the path that marks this service, which URLs of earlier versions didn't have. */
function withoutDemoPath(target: string): string {
  return target.startsWith(`${demoPath}/`) ? target.slice(demoPath.length) : target;
}

/** Answers one request. Never rejects. */
export async function route(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  response.on('close', () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, service.closing]);
  response.setHeader('x-siliconcloud-trace-id', `ti_${service.newId()}`);
  const refused = misaddressed(request, service.origin());
  if (refused !== undefined) {
    response.writeHead(refused, { connection: 'close' }).end(STATUS_CODES[refused]);
    return;
  }
  const exchange: Exchange = {
    service,
    request,
    response,
    // Prefixed with the origin, any target is a path, even one that would otherwise name a host.
    url: new URL(`${service.origin()}${withoutDemoPath(request.url ?? '')}`),
    signal,
    reply: new Reply(response, signal, service.random),
    body: noBody,
  };
  try {
    await dispatch(exchange);
  } catch (error) {
    if (!signal.aborted) await fail(exchange, error);
  } finally {
    // First, so that whoever has the answer finds the request among those that were seen.
    note(exchange);
    await discard(exchange.body.files);
  }
}

async function fail({ response, reply }: Exchange, error: unknown): Promise<void> {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  await reply.json(500, errorBody('platform', { code: 60000, message })).catch(() => undefined);
}

function note({ service, request, response, url, body }: Exchange): void {
  if (url.pathname.startsWith('/_control')) return;
  service.control.requests.add({
    method: request.method ?? '',
    path: url.pathname,
    query: url.search,
    headers: { ...request.headers },
    bodyBytes: body.size,
    body: body.values,
    files: body.files.map(({ path: _path, ...file }) => file),
    status: response.statusCode,
    at: service.clock(),
  });
}

async function dispatch(exchange: Exchange): Promise<void> {
  const { service, request, url, reply } = exchange;
  if (url.pathname.startsWith('/_control/')) return control(exchange);
  const found = match(request.method ?? 'GET', url.pathname);
  if (found === undefined) return reply.text(404, '404 page not found');
  const { endpoint, params } = found;
  if (endpoint !== assetEndpoint) {
    const key = judgeKey(request.headers, service.store.state.apiKey, endpoint.takesApiKeyHeader ?? false);
    if (key === 'malformed') return reply.text(401, 'Invalid token');
    if (key === 'unknown') return reply.json(401, 'Api key is invalid');
  }
  const armed = takeArmed(service.control, endpoint.name);
  if (armed) {
    reply.fault = armed.fault;
    reply.delayMs = armed.delayMs;
  }
  try {
    await serve(exchange, endpoint, params);
  } catch (error) {
    if (!(error instanceof Refusal) || exchange.response.headersSent) throw error;
    await reply.json(error.status, errorBody(endpoint.errors ?? 'platform', error));
  }
}

async function serve(exchange: Exchange, endpoint: Endpoint, params: Readonly<Record<string, string>>): Promise<void> {
  const { service, request, reply, signal } = exchange;
  if (isWire(reply.fault, 'resetDuringUpload')) {
    request.once('data', () => request.socket.resetAndDestroy()).once('end', () => request.socket.resetAndDestroy());
    return;
  }
  exchange.body = await readBody(exchange, endpoint);
  const model = exchange.body.values['model'];
  const name = faultNameOf(model);
  if (name !== undefined && endpoint.standIn !== undefined) {
    const fault = findFault(name);
    if (fault === undefined || !fault.endpoints.includes(endpoint.name)) throw unknownModel();
    reply.fault ??= fault;
  }
  const { fault } = reply;
  if (fault?.effect.kind === 'answer')
    return sendFault(reply, fault.effect, endpoint.errors ?? 'platform', service.clock());
  const values = name === undefined ? exchange.body.values : { ...exchange.body.values, model: endpoint.standIn };
  const call: Call = {
    service,
    params,
    query: exchange.url.searchParams,
    body: values,
    files: exchange.body.files,
    modelName: typeof model === 'string' ? model : '',
    fault,
    signal,
    reply,
  };
  await endpoint.handle(call);
}

const isWire = (fault: Fault | undefined, how: string) => fault?.effect.kind === 'wire' && fault.effect.how === how;

function readBody({ request, service }: Exchange, endpoint: Endpoint): Promise<RequestBody> {
  const place = () => service.store.pathOf('incoming', service.newId());
  const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/');
  if (endpoint.body === 'form' || (endpoint.body === 'jsonOrForm' && isForm)) return readForm(request, place);
  if (endpoint.body === 'none') {
    request.resume();
    return Promise.resolve(noBody);
  }
  return readJson(request);
}

async function control({ service, request, url, reply }: Exchange): Promise<void> {
  if (request.method === 'GET' && url.pathname === '/_control/proof') {
    const proof = service.proof(url.searchParams.get('nonce') ?? '');
    return proof === undefined ? reply.text(404, '404 page not found') : reply.json(200, { proof });
  }
  if (judgeKey(request.headers, service.store.state.apiKey, false) !== 'known') return reply.text(401, 'Invalid token');
  try {
    const { values } = request.method === 'POST' ? await readJson(request) : noBody;
    const answer = await answerControl(service, `${request.method} ${url.pathname.slice('/_control/'.length)}`, values);
    return answer === undefined ? reply.text(404, '404 page not found') : reply.json(200, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reply.json(error.status, errorBody('platform', error));
  }
}

function match(method: string, pathname: string): { endpoint: Endpoint; params: Record<string, string> } | undefined {
  const asset = /^\/assets\/([\w.-]+)$/.exec(pathname);
  if (asset?.[1] !== undefined)
    return method === 'GET' ? { endpoint: assetEndpoint, params: { name: asset[1] } } : undefined;
  if (!pathname.startsWith('/v1/')) return undefined;
  const parts = pathname.slice('/v1'.length).split('/');
  for (const endpoint of endpoints) {
    const [routeMethod = '', template = ''] = endpoint.name.split(' ');
    const names = template.split('/');
    if (routeMethod !== method || names.length !== parts.length) continue;
    if (names.every((part, index) => part === parts[index] || (part === '{id}' && parts[index] !== ''))) {
      const at = names.indexOf('{id}');
      const id = at < 0 ? undefined : decoded(parts[at] ?? '');
      if (at >= 0 && id === undefined) return undefined;
      return { endpoint, params: id === undefined ? {} : { id } };
    }
  }
  return undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

type Authorization = 'known' | 'unknown' | 'malformed';

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Checks the key of a request. `malformed` also means that it is missing. */
function judgeKey(headers: IncomingHttpHeaders, apiKey: string, takesApiKeyHeader: boolean): Authorization {
  const plain = headers['x-api-key'];
  const bearer = /^Bearer ([\x21-\x7e]+)$/.exec(headers.authorization ?? '')?.[1];
  const key =
    bearer ??
    (takesApiKeyHeader && headers.authorization === undefined && typeof plain === 'string' ? plain : undefined);
  if (key === undefined || !key.startsWith('sk-'))
    return key !== undefined && same(key, apiKey) ? 'known' : 'malformed';
  return same(key, apiKey) ? 'known' : 'unknown';
}

/**
 * Returns the status with which to reject a request that isn't meant for this service: a foreign host name (a website can make one of its
 * names resolve to this machine), a page of another origin, or a target that isn't a path. Returns `undefined` for other requests.
 */
function misaddressed({ headers, url = '' }: IncomingMessage, serviceOrigin: string): 400 | 403 | 421 | undefined {
  const { port } = new URL(serviceOrigin);
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === '' ? name : `${name}:${port}`));
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) return 421;
  const { origin = 'null' } = headers;
  if (origin !== 'null' && !hosts.some((host) => origin === `http://${host}`)) return 403;
  return url.startsWith('/') ? undefined : 400;
}

type Action = (service: Service, body: Record<string, unknown>) => unknown;

/**
 * The control path is `/_control/` at the root, with the same key: `POST arm` arms a fault for the next calls of an operation, `POST
 * batches` sets how new batches behave, `POST tell` overrides properties of one batch's response (none: resets them), `POST pace` and `POST
 * balance` set those, `POST expireUrls` expires all links issued so far, `GET requests` lists the recorded requests (newest last) and
 * counts the faults that are still armed, `GET faults` lists the faults, `POST reset` clears armed faults, batch settings, overrides, and
 * recorded requests. `GET proof`, which requires no key, is part of the router.
 */
const actions: Readonly<Record<string, Action>> = {
  'POST arm': arm,
  'POST batches': setBatches,
  'POST tell': tell,
  'POST pace': setPace,
  'POST balance': setBalance,
  'POST expireUrls': async ({ store }) => {
    store.state.urlEpoch += 1;
    await store.save();
    return { epoch: store.state.urlEpoch };
  },
  'POST reset': ({ control }) => {
    control.armed = [];
    control.batch = { outputAs: 'id' };
    control.tales.clear();
    control.requests.clear();
    return { reset: true };
  },
  'GET requests': ({ control }) => ({ requests: control.requests.all(), armed: control.armed.length }),
  'GET faults': () => ({ faults }),
};

/** Resolves to the response of the control path, `undefined` if there is no such action. Throws a refusal if the input is invalid. */
async function answerControl(service: Service, action: string, body: Record<string, unknown>): Promise<unknown> {
  return Object.hasOwn(actions, action) ? actions[action]?.(service, body) : undefined;
}

function arm({ control }: Service, body: Record<string, unknown>): unknown {
  const {
    fault: name,
    endpoint,
    times = 1,
    delayMs = 3000,
  } = readStrictly(body, {
    fault: required(text({ min: 1 })),
    endpoint: required(oneOf<EndpointName>(...allEndpoints)),
    times: optional(integer({ min: 1 })),
    delayMs: optional(number({ min: 0 })),
  });
  const fault = findFault(name);
  if (fault === undefined) throw badParameter(`There is no fault \`${name}\`.`, 'fault');
  if (!fault.endpoints.includes(endpoint))
    throw badParameter(`\`${name}\` does not happen at ${endpoint}.`, 'endpoint');
  control.armed.push({ fault, endpoint, left: times, delayMs });
  return { armed: control.armed.length };
}

function setBatches({ control }: Service, body: Record<string, unknown>): unknown {
  const { outputAs, windowSeconds, failAfter } = readStrictly(body, {
    outputAs: optional(oneOf('id', 'url')),
    windowSeconds: optional(number({ min: 0 })),
    failAfter: optional(integer({ min: 0 })),
  });
  control.batch = {
    outputAs: outputAs ?? control.batch.outputAs,
    windowSeconds: windowSeconds ?? control.batch.windowSeconds,
    failAfter: failAfter ?? control.batch.failAfter,
  };
  return control.batch;
}

function tell({ control, store }: Service, body: Record<string, unknown>): unknown {
  const { id, as } = readStrictly(body, { id: required(text({ min: 1 })), as: optional(record) });
  if (!store.state.batches.some((batch) => batch.id === id)) throw badParameter(`There is no batch \`${id}\`.`, 'id');
  if (as === undefined) control.tales.delete(id);
  else control.tales.set(id, as);
  return { told: control.tales.size };
}

function setPace({ control }: Service, { pace }: Record<string, unknown>): unknown {
  if (pace === 'reading' || pace === 'fast' || pace === 'instant') control.pace = paces[pace];
  else if (
    isRecord(pace) &&
    Object.entries(pace).every(
      ([name, ms]) =>
        Object.hasOwn(paces.reading, name) && typeof ms === 'number' && ms >= (name === 'clipFrames' ? 1 : 0),
    )
  ) {
    control.pace = toPace({ ...control.pace, ...(pace as Partial<Pace>) });
  } else throw badParameter('pace: a name (reading, fast, instant) or figures in milliseconds', 'pace');
  return control.pace;
}

async function setBalance({ store }: Service, body: Record<string, unknown>): Promise<unknown> {
  const { gift, charge } = readStrictly(body, { gift: optional(number()), charge: optional(number()) });
  if (gift !== undefined) store.state.giftBalance = Math.round(gift * 1e6);
  if (charge !== undefined) store.state.chargeBalance = Math.round(charge * 1e6);
  await store.save();
  return { gift: store.state.giftBalance / 1e6, charge: store.state.chargeBalance / 1e6 };
}
