import { present, presentWords } from '../present';
import type { Transport } from '../transport/transport';
import { accountResponse } from './account.schema';
import type { AccountInfo } from './account.schema';

export interface Accounts {
  info(signal?: AbortSignal): Promise<AccountInfo>;
}

export function createAccount(transport: Transport): Accounts {
  return {
    async info(signal) {
      const call = { method: 'GET', path: '/user/info', work: 'read', signal } as const;
      const { data } = await transport.json({ ...call, response: accountResponse });
      const { id, name, image, email, isAdmin, status, introduction, role } = data;
      return {
        ...presentWords({ id, name, image, email, status, introduction, role }),
        ...presentWords({
          balance: toAmount(data.balance),
          chargeBalance: toAmount(data.chargeBalance),
          totalBalance: toAmount(data.totalBalance),
        }),
        ...present({ isAdmin }),
      };
    },
  };
}

function toAmount(amount: string | number | null | undefined): string | undefined {
  return amount === null || amount === undefined ? undefined : String(amount);
}
