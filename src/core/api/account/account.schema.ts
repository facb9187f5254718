// https://docs.siliconflow.com/en/api-reference/userinfo/get-user-info
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { enveloped } from '../envelope';
import { lenientFlag, lenientText } from '../tolerant';

/** Amounts are decimal text according to the documentation; numbers are accepted too. */
export const accountResponse = enveloped(
  'totalBalance',
  z.looseObject({
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
  }),
);

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
