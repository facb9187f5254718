import { batchEndpoints } from '../api/errors';
import { knownServiceOf, type KnownService } from './knownServices';
import { rulesOf } from './vendorRules';

const voices = ['GET /audio/voice/list', 'POST /uploads/audio/voice', 'POST /audio/voice/deletions'];
const videos = ['POST /video/submit', 'POST /video/status'];

/**
 * What the references of services on the internet do not have, as of autumn 2026. A server on this machine is known by its port alone, where
 * another may listen, so it is asked.
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
    ...batchEndpoints,
  ],
  openrouter: ['POST /images/generations', ...videos, ...voices, ...batchEndpoints],
};

/** Returns the endpoints that the service at an address is known not to have, before it is asked. */
export function knownGapsOf(baseUrl: string): readonly string[] {
  const service = knownServiceOf(baseUrl);
  const balance = rulesOf(baseUrl).hasBalance ? [] : ['GET /user/info'];
  return [...balance, ...((service && gaps[service.id]) ?? [])];
}
