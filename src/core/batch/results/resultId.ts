import { objectOf } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';

/** The names that services give to the ID of a result; gateways put their own name before it. */
const idNames = [
  'custom_id',
  'key',
  'recordId',
  'batch_request_id',
  'customId',
  'external_reference',
  'litellm_custom_id',
  'bifrost_custom_id',
];

/** Returns the ID by which a request and its result are joined; empty if the line has none. */
export function resultId(line: JsonObject): string {
  const { metadata, request, instance } = line;
  // Gemini's inline results have it in the metadata, and some programs keep the request with the result. Vertex AI has it in the labels.
  for (const value of [line, metadata, request, instance, objectOf(request)?.['labels']]) {
    const object = objectOf(value);
    const id = object && idIn(object);
    if (id !== undefined) return id;
  }
  // The Responses API returns the metadata of the request in the body.
  const response = objectOf(line['response']);
  const ofBody = objectOf((objectOf(response?.['body']) ?? response)?.['metadata']);
  return (ofBody && idIn(ofBody)) ?? '';
}

/** Returns the ID that an object itself has, under any of its names; `undefined` if it has none. */
export function idIn(object: JsonObject): string | undefined {
  for (const name of idNames) {
    const id = object[name];
    if (typeof id === 'number') return String(id);
    if (typeof id === 'string' && id !== '') return id;
  }
  return undefined;
}
