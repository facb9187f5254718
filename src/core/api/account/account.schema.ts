// https://docs.siliconflow.com/en/api-reference/userinfo/get-user-info
import '../jitless';
import * as z from 'zod/mini';

const words = z.nullish(z.string());
/** Amounts are decimal text by the page; a number is taken too. */
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

/** What the service says of the account. What it leaves out or leaves empty is absent. */
export interface AccountInfo {
  readonly id?: string;
  readonly name?: string;
  readonly image?: string;
  readonly email?: string;
  readonly isAdmin?: boolean;
  /** Gifts only. Amounts are exact decimal text, and may be negative. */
  readonly balance?: string;
  /** Paid in. */
  readonly chargeBalance?: string;
  /** The one to show. */
  readonly totalBalance?: string;
  /** e.g. `normal`. */
  readonly status?: string;
  readonly introduction?: string;
  readonly role?: string;
}
