/** Every operation of the service, by method and path below the version segment. `GET asset` downloads a result. */
export type EndpointName =
  | 'GET /user/info'
  | 'GET /models'
  | 'POST /files'
  | 'GET /files'
  | 'GET /files/{id}/content'
  | 'DELETE /files/{id}'
  | 'POST /batches'
  | 'GET /batches'
  | 'GET /batches/{id}'
  | 'POST /batches/{id}/cancel'
  | 'DELETE /batches/{id}'
  | 'POST /messages/batches'
  | 'GET /messages/batches'
  | 'GET /messages/batches/{id}'
  | 'GET /messages/batches/{id}/results'
  | 'POST /messages/batches/{id}/cancel'
  | 'DELETE /messages/batches/{id}'
  | 'POST /messages'
  | 'POST /chat/completions'
  | 'POST /completions'
  | 'POST /rerank'
  | 'POST /embeddings'
  | 'POST /images/generations'
  | 'POST /video/submit'
  | 'POST /video/status'
  | 'POST /uploads/audio/voice'
  | 'GET /audio/voice/list'
  | 'POST /audio/voice/deletions'
  | 'POST /audio/speech'
  | 'POST /audio/transcriptions'
  | 'GET asset';

/** Operations that answer with server-sent events if the request asks for a stream. */
export const streamingEndpoints: readonly EndpointName[] = [
  'POST /messages',
  'POST /chat/completions',
  'POST /completions',
];

/** Operations whose request names a model, so that the model id `fault/<name>` can request a fault. */
export const modelEndpoints: readonly EndpointName[] = [
  ...streamingEndpoints,
  'POST /rerank',
  'POST /embeddings',
  'POST /images/generations',
  'POST /video/submit',
  'POST /uploads/audio/voice',
  'POST /audio/speech',
  'POST /audio/transcriptions',
];

export const apiEndpoints: readonly EndpointName[] = [
  'GET /user/info',
  'GET /models',
  'POST /files',
  'GET /files',
  'GET /files/{id}/content',
  'DELETE /files/{id}',
  'POST /batches',
  'GET /batches',
  'GET /batches/{id}',
  'POST /batches/{id}/cancel',
  'POST /messages/batches',
  'GET /messages/batches',
  'GET /messages/batches/{id}',
  'POST /messages/batches/{id}/cancel',
  ...modelEndpoints,
  'POST /video/status',
  'GET /audio/voice/list',
  'POST /audio/voice/deletions',
];

export const allEndpoints: readonly EndpointName[] = [...apiEndpoints, 'GET asset'];
