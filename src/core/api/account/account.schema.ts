// https://docs.siliconflow.com/en/api-reference/userinfo/get-user-info
import '../../../schema/jitless';
import * as z from 'zod/mini';

const words = z.nullish(z.string());
/** Amounts are decimal text according to the documentation; numbers are accepted too. */
const amount = z.nullish(z.union([z.string(), z.number()]));

export const accountResponse = z.looseObject({
  data: z.looseObject({
    id: words,
    /** `name`, `image` and `email` are announced to become empty. */
    name: words,
    image: words,
    email: words,
    isAdmin: z.nullish(z.boolean()),
    balance: amount,
    status: words,
    introduction: words,
    role: words,
    chargeBalance: amount,
    totalBalance: amount,
  }),
});

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
  /** e.g. `normal`. */
  readonly status?: string;
  readonly introduction?: string;
  readonly role?: string;
}
