import type * as vscode from 'vscode';
import type { Account } from '../account/account';

/** The model last used on a page, per account: a model of one service means nothing at another. */
export interface LastModel {
  /** Of the active account, or `undefined` if none was used yet. Might no longer be offered. */
  get(): string | undefined;
  set(model: string): Promise<void>;
}

/** Limit per page: accounts that are gone are not known here. */
const mostAccounts = 50;

/** Returns the models by account with one set, without those set longest ago if they are too many. */
export function withModelOf(
  account: string,
  model: string,
  all: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { [account]: _before, ...others } = all;
  return { ...Object.fromEntries(Object.entries(others).slice(1 - mostAccounts)), [account]: model };
}

/** `key` names the page. Up to version 0.1 it held one model for all accounts, which the account that uses the page first takes over. */
export function createLastModel(memento: vscode.Memento, key: string, active: Account): LastModel {
  const ownKey = `${key}ByAccount`;
  const all = () => memento.get<Readonly<Record<string, string>>>(ownKey, {});
  const account = () => active.current.id;
  const earlier = () => {
    const model = memento.get<unknown>(key);
    return typeof model === 'string' ? model : undefined;
  };
  return {
    get() {
      const known = all();
      return Object.hasOwn(known, account()) ? known[account()] : earlier();
    },
    async set(model) {
      await memento.update(ownKey, withModelOf(account(), model, all()));
      if (earlier() !== undefined) await memento.update(key, undefined);
    },
  };
}
