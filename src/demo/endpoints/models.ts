import { decimalText } from '../billing';
import type { Endpoint } from '../call';
import { catalogue } from '../catalogue';
import { optional, oneOf, readStrictly } from '../validate';
import { envelope } from './envelope';

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

/** The name, image and email are empty, as the service has announced. */
export const userInfo: Endpoint = {
  name: 'GET /user/info',
  body: 'none',
  handle: ({ service, reply }) => {
    const { giftBalance, chargeBalance } = service.store.state;
    return reply.json(
      200,
      envelope({
        id: 'demo-account',
        name: '',
        image: '',
        email: '',
        isAdmin: false,
        balance: decimalText(giftBalance),
        status: 'normal',
        introduction: '',
        role: '',
        chargeBalance: decimalText(chargeBalance),
        totalBalance: decimalText(giftBalance + chargeBalance),
      }),
    );
  },
};
