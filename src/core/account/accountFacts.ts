import type { AccountInfo } from '../api/account/account.schema';

/** One fact about the account, other than its balance. */
export interface AccountFact {
  readonly name: 'status' | 'role' | 'introduction' | 'name' | 'email' | 'isAdmin' | 'id';
  readonly value: string;
}

const names = ['status', 'role', 'introduction', 'name', 'email', 'id'] as const;

/** Returns the facts to show, in display order, without empty values; `isAdmin` only when the user is an administrator. */
export function accountFacts(info: AccountInfo): readonly AccountFact[] {
  const facts: AccountFact[] = [];
  for (const name of names) {
    const value = info[name]?.trim();
    if (value) facts.push({ name, value });
  }
  if (info.isAdmin === true) facts.push({ name: 'isAdmin', value: 'true' });
  return facts;
}

export interface BalanceFact {
  readonly name: 'chargeBalance' | 'giftBalance';
  readonly value: string;
}

/** Returns the parts of the total balance that the service reports. */
export function balanceParts({ chargeBalance, balance }: AccountInfo): readonly BalanceFact[] {
  return [
    ...(chargeBalance === undefined ? [] : [{ name: 'chargeBalance', value: chargeBalance } as const]),
    ...(balance === undefined ? [] : [{ name: 'giftBalance', value: balance } as const]),
  ];
}
