import { batchServiceOf } from '../batch/services/batchServiceOf';
import { knownServiceOf, type KnownService } from './knownServices';
import { rulesOf } from './vendorRules';

const voices = ['GET /audio/voice/list', 'POST /uploads/audio/voice', 'POST /audio/voice/deletions'];
/** These files have another purpose than batches, whose requests are part of the call that creates them. */
const files = ['GET /files', 'POST /files'];
const videos = ['POST /video/submit', 'POST /video/status'];

/**
 * Endpoints missing from the references of services on the internet, as of autumn 2026. A server on this machine is known only by its port,
 * where another one might listen, so it is asked.
 */
const gaps: { readonly [Id in KnownService['id']]?: readonly string[] } = {
  openai: ['POST /rerank', ...videos, ...voices],
  anthropic: [
    'POST /completions',
    'POST /rerank',
    'POST /embeddings',
    'POST /images/generations',
    'POST /audio/speech',
    'POST /audio/transcriptions',
    ...videos,
    ...voices,
    ...files,
  ],
  openrouter: ['POST /images/generations', ...videos, ...voices, ...files],
};

/** Returns the endpoints that the service at a URL is known not to have, before any request. */
export function knownGapsOf(baseUrl: string): readonly string[] {
  const service = knownServiceOf(baseUrl);
  const balance = rulesOf(baseUrl).hasBalance ? [] : ['GET /user/info'];
  return [...balance, ...((service && gaps[service.id]) ?? [])];
}

/** Returns the endpoints that do at the service at an address what those of OpenAI's batches do elsewhere. Others stay as they are. */
export function endpointsAt(baseUrl: string, endpoints: readonly string[]): readonly string[] {
  const { form } = batchServiceOf(baseUrl);
  const isOfBatches = endpoints.some((endpoint) => endpoint.endsWith(' /batches'));
  if (!isOfBatches || (form !== 'anthropic' && form !== 'openrouter')) return endpoints;
  const own = endpoints.filter((endpoint) => endpoint !== 'POST /files');
  return form === 'anthropic' ? own.map((endpoint) => endpoint.replace(' /batches', ' /messages/batches')) : own;
}
