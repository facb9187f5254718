import type { AccountInfo } from '../api/account/account.schema';

/** A line of the account besides its balance. */
export interface AccountFact {
  readonly name: 'status' | 'role' | 'introduction' | 'name' | 'email' | 'isAdmin' | 'id';
  readonly value: string;
}

const names = ['status', 'role', 'introduction', 'name', 'email', 'id'] as const;

/** What is worth a line, in the order it is shown: nothing that is empty, and being an administrator only when one is. */
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

/** The parts of the total, where the service tells them. */
export function balanceParts({ chargeBalance, balance }: AccountInfo): readonly BalanceFact[] {
  return [
    ...(chargeBalance === undefined ? [] : [{ name: 'chargeBalance', value: chargeBalance } as const]),
    ...(balance === undefined ? [] : [{ name: 'giftBalance', value: balance } as const]),
  ];
}
