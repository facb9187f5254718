import { missingEndpoint } from '../errors';
import { present, presentWords } from '../present';
import type { Transport } from '../transport/transport';
import { accountResponse } from './account.schema';
import type { AccountInfo } from './account.schema';

export interface Accounts {
  /** Rejects with `notOffered` without a request where the service is known not to have it. */
  info(signal?: AbortSignal): Promise<AccountInfo>;
}

export function createAccount(transport: Transport, isOffered = true): Accounts {
  return {
    async info(signal) {
      if (!isOffered) throw missingEndpoint('GET /user/info');
      const call = { method: 'GET', path: '/user/info', work: 'read', signal } as const;
      const { isAdmin, ...wire } = await transport.json({ ...call, response: accountResponse });
      const { id, name, image, email, status, introduction, role, balance, chargeBalance, totalBalance } = wire;
      return {
        ...presentWords({ id, name, image, email, status, introduction, role, balance, chargeBalance, totalBalance }),
        ...present({ isAdmin }),
      };
    },
  };
}
