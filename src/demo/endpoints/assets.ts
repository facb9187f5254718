import { createHmac } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { writeAtomic } from '../../core/storage/atomicFile';
import type { Call, Endpoint } from '../call';
import type { Service } from '../service';

/** The specification: the link to an image or a video is valid for one hour. */
const lifeMs = 3_600_000;

const signatureOf = ({ store }: Service, name: string, expires: string, epoch: string) =>
  createHmac('sha256', store.state.signingSecret).update(`${name}\n${expires}\n${epoch}`).digest('hex').slice(0, 32);

/** Returns a signed link that needs no key. With `expired`, its hour is already over. */
export function assetUrl(service: Service, name: string, { expired = false } = {}): string {
  const expires = String(Math.floor((service.clock() + (expired ? -60_000 : lifeMs)) / 1000));
  const epoch = String(service.store.state.urlEpoch);
  return `${service.origin()}/assets/${name}?expires=${expires}&v=${epoch}&signature=${signatureOf(service, name, expires, epoch)}`;
}

/** Stores bytes for an hour. */
export async function keepAsset(
  service: Service,
  { name, bytes, contentType }: { name: string; bytes: Buffer; contentType: string },
): Promise<void> {
  await sweepAssets(service);
  await writeAtomic(service.store.pathOf('assets', name), bytes);
  const { state } = service.store;
  state.assets = [
    ...state.assets.filter((asset) => asset.name !== name),
    { name, contentType, expiresAt: service.clock() + lifeMs },
  ];
  await service.store.save();
}

/** Removes expired files. */
export async function sweepAssets({ store, clock }: Service): Promise<void> {
  const old = store.state.assets.filter((asset) => asset.expiresAt < clock());
  if (old.length === 0) return;
  store.state.assets = store.state.assets.filter((asset) => !old.includes(asset));
  await Promise.all(old.map((asset) => rm(store.pathOf('assets', asset.name), { force: true })));
}

const refusalXml = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
const xml = { 'Content-Type': 'application/xml' };

/** Answers like object storage: no key, a signature in the link, XML errors. */
export const assetEndpoint: Endpoint = {
  name: 'GET asset',
  body: 'none',
  handle: async (call) => {
    const { service, query, params, reply } = call;
    const name = params['name'] ?? '';
    const [expires = '', epoch = '', signature = ''] = ['expires', 'v', 'signature'].map((key) => query.get(key) ?? '');
    if (signature !== signatureOf(service, name, expires, epoch)) {
      return reply.text(403, refusalXml('SignatureDoesNotMatch', 'The signature does not match.'), xml);
    }
    if (Number(expires) * 1000 <= service.clock() || epoch !== String(service.store.state.urlEpoch)) {
      return reply.text(403, refusalXml('AccessDenied', 'Request has expired'), xml);
    }
    return sendAsset(call, name);
  },
};

async function sendAsset({ service, reply }: Call, name: string): Promise<void> {
  const asset = service.store.state.assets.find((item) => item.name === name);
  const file = service.store.state.files.find((item) => `${item.id}.jsonl` === name);
  const path = file === undefined ? service.store.pathOf('assets', name) : service.store.pathOf('files', name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return reply.text(404, refusalXml('NoSuchKey', 'The specified key does not exist.'), xml);
  return reply.file(path, found.size, {
    'Content-Type': asset?.contentType ?? 'application/octet-stream',
    'Content-Disposition': `inline; filename="${name}"`,
  });
}
