// https://docs.siliconflow.com/en/api-reference/userinfo/get-user-info
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { enveloped } from '../envelope';
import { isObject } from '../isObject';
import { lenient, lenientFlag, lenientText, toNumber, toText } from '../tolerant';

/** Amounts are decimal text according to the documentation; numbers are accepted too. */
const account = z.looseObject({
  id: lenientText,
  /** `name`, `image` and `email` are announced to become empty. */
  name: lenientText,
  image: lenientText,
  email: lenientText,
  isAdmin: lenientFlag,
  balance: lenientText,
  status: lenientText,
  introduction: lenientText,
  role: lenientText,
  chargeBalance: lenientText,
  totalBalance: lenientText,
  currency: lenient(z.enum(['USD', 'CNY'])),
});

export const accountResponse = enveloped('totalBalance', z.pipe(z.transform(withBalance), account));

type Fields = Readonly<Record<string, unknown>>;

/** Gives the balance in the form of another service the names of the reference. */
function withBalance(json: unknown): unknown {
  if (!isObject(json) || json['totalBalance'] !== undefined) return json;
  const { balance_infos: byCurrency, total_credits: bought, total_usage: used } = json;
  if (Array.isArray(byCurrency)) return ofCurrency(byCurrency.filter(isObject));
  const [credits, usage] = [toNumber(bought), toNumber(used)];
  // OpenRouter has amounts of up to nine decimals.
  if (credits !== undefined && usage !== undefined)
    return { totalBalance: String(Number((credits - usage).toFixed(9))), currency: 'USD' };
  const usd = toText(json['usd_balance']) ?? toText(json['available_usd']);
  if (usd !== undefined) return { totalBalance: usd, currency: 'USD' };
  if (json['availableBalance'] !== undefined && 'cashBalance' in json) return ofNovita(json);
  const total = toText(json['available_balance']) ?? toText(json['balance']);
  const first = (...names: readonly string[]) =>
    names.map((name) => toText(json[name])).find((one) => one !== undefined);
  const paid = first('cash_balance', 'total_cash_balance');
  const gift = first('voucher_balance', 'total_voucher_balance');
  const isTotal = paid !== undefined || gift !== undefined;
  return isTotal ? { totalBalance: total, chargeBalance: paid, balance: gift } : json;
}

/** DeepSeek has a balance for each currency, of which accounts usually have one. */
function ofCurrency(balances: readonly Fields[]): Fields {
  const used = balances.find(({ total_balance: total }) => (toNumber(total) ?? 0) !== 0) ?? balances[0] ?? {};
  const { total_balance: totalBalance, granted_balance: balance, topped_up_balance: chargeBalance, currency } = used;
  return { totalBalance, balance, chargeBalance, currency };
}

/** Novita has amounts in 1/10,000 of a dollar. */
function ofNovita({ availableBalance, cashBalance }: Fields): Fields {
  const dollars = (amount: unknown) => {
    const number = toNumber(amount);
    return number === undefined ? undefined : String(number / 10_000);
  };
  return { totalBalance: dollars(availableBalance), chargeBalance: dollars(cashBalance), currency: 'USD' };
}

/** The service's account information. Fields it omits or leaves empty are absent. */
export interface AccountInfo {
  readonly id?: string;
  readonly name?: string;
  readonly image?: string;
  readonly email?: string;
  readonly isAdmin?: boolean;
  /** Bonus credit only. Amounts are exact decimal text and may be negative. */
  readonly balance?: string;
  /** Paid credit. */
  readonly chargeBalance?: string;
  /** The amount to show. */
  readonly totalBalance?: string;
  /** Of the amounts, if the service says so. */
  readonly currency?: 'USD' | 'CNY';
  /** e.g. `normal`. */
  readonly status?: string;
  readonly introduction?: string;
  readonly role?: string;
}
