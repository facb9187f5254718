import type { Endpoint } from '../call';
import { catalogue } from '../catalogue';
import { optional, oneOf, readStrictly } from '../validate';

export const models: Endpoint = {
  name: 'GET /models',
  body: 'none',
  handle: ({ query, reply }) => {
    const { type, sub_type: subType } = readStrictly(Object.fromEntries(query), {
      type: optional(oneOf('text', 'image', 'audio', 'video')),
      sub_type: optional(
        oneOf('chat', 'embedding', 'reranker', 'text-to-image', 'image-to-image', 'speech-to-text', 'text-to-video'),
      ),
    });
    const found = catalogue.filter(
      (model) => (type === undefined || model.type === type) && (subType === undefined || model.subType === subType),
    );
    return reply.json(200, {
      object: 'list',
      data: found.map(({ id }) => ({ id, object: 'model', created: 0, owned_by: '' })),
    });
  },
};
