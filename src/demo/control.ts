import { type EndpointName, allEndpoints } from './endpointNames';
import { faults, findFault } from './faults';
import { type Pace, paces, toPace } from './pace';
import { badParameter } from './refusal';
import type { Service } from './service';
import { integer, isRecord, number, oneOf, optional, readStrictly, record, required, text } from './validate';

type Action = (service: Service, body: Record<string, unknown>) => unknown;

/**
 * The control path is `/_control/` at the root, with the same key:
 * `POST arm` arms a fault for the next calls of an operation, `POST batches` sets how new batches behave,
 * `POST tell` overrides members of one batch's response (none: the truth again), `POST pace` and `POST balance` set those,
 * `POST expireUrls` expires all links issued so far, `GET requests` lists the recorded requests (newest last) and counts the faults that still wait for theirs,
 * `GET faults` lists the faults, `POST reset` clears armed faults, batch settings, overrides and recorded requests.
 * `GET proof`, which needs no key, is part of the router.
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
export async function answerControl(service: Service, action: string, body: Record<string, unknown>): Promise<unknown> {
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
