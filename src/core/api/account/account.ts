import { missingEndpoint } from '../errors';
import { present, presentWords } from '../present';
import type { ApiPlace, Transport } from '../transport/transport';
import type { ClientOptions } from '../clientOptions';
import { accountResponse } from './account.schema';
import type { AccountInfo } from './account.schema';

export interface Accounts {
  /** Rejects with `notOffered` without a request where the service is known not to have it. */
  info(signal?: AbortSignal): Promise<AccountInfo>;
}

/** Where services tell the balance that don't at `/user/info`, by their host. */
const ownPlaces: Readonly<Record<string, ApiPlace & { readonly method: 'GET' | 'POST' }>> = {
  // https://api-docs.deepseek.com/api/get-user-balance
  'api.deepseek.com': { method: 'GET', path: '/user/balance', isFromHost: true },
  // https://platform.moonshot.cn/docs/api/balance
  'api.moonshot.cn': { method: 'GET', path: '/users/me/balance' },
  'api.moonshot.ai': { method: 'GET', path: '/users/me/balance' },
  // https://platform.stepfun.com/docs/api-reference/account/accounts
  'api.stepfun.com': { method: 'GET', path: '/accounts' },
  // https://novita.ai/docs/api-reference/basic-get-user-balance
  'api.novita.ai': { method: 'GET', path: '/openapi/v1/billing/balance/detail', isFromHost: true },
  // https://docs.nano-gpt.com/api-reference/endpoint/check-balance
  'nano-gpt.com': { method: 'POST', path: '/api/check-balance', isFromHost: true, keyHeader: 'x-api-key' },
  // https://featherless.ai/docs/api-reference-credits
  'api.featherless.ai': { method: 'GET', path: '/credits/balance', isFromHost: true },
};

export function createAccount(transport: Transport, { hasBalance = true, baseUrl }: ClientOptions): Accounts {
  const place = ownPlaces[URL.parse(baseUrl)?.hostname ?? ''] ?? { method: 'GET', path: '/user/info' };
  return {
    async info(signal) {
      if (!hasBalance) throw missingEndpoint('GET /user/info');
      const call = { ...place, work: 'read', signal } as const;
      const { isAdmin, currency, ...wire } = await transport.json({ ...call, response: accountResponse });
      const { id, name, image, email, status, introduction, role, balance, chargeBalance, totalBalance } = wire;
      return {
        ...presentWords({ id, name, image, email, status, introduction, role, balance, chargeBalance, totalBalance }),
        ...present({ isAdmin, currency }),
      };
    },
  };
}
