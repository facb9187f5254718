import { decimalText } from '../billing';
import type { Endpoint } from '../call';
import { envelope } from './envelope';

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
