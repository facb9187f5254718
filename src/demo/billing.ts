import type { CatalogueModel } from './catalogue';
import { noBalance } from './refusal';
import type { Service } from './service';

/** Throws a refusal if the balance is used up and the model is not free. */
export function requireBalance({ store }: Service, model: CatalogueModel): void {
  if (model.price > 0 && store.state.giftBalance + store.state.chargeBalance <= 0) throw noBalance();
}

/**
 * Charges the price of `units` (thousands of tokens, images, clips) to the account: to the bonus credit first, which does not pay for
 * batches. A batch saves its charges itself.
 */
export async function charge(
  { store }: Service,
  model: CatalogueModel,
  units: number,
  { isBatch = false } = {},
): Promise<void> {
  const cost = Math.ceil(model.price * units);
  if (cost <= 0) return;
  const fromGift = isBatch ? 0 : Math.min(Math.max(store.state.giftBalance, 0), cost);
  store.state.giftBalance -= fromGift;
  store.state.chargeBalance -= cost - fromGift;
  if (!isBatch) await store.save();
}

/** Formats millionths as an exact decimal with at least two places. */
export function decimalText(millionths: number): string {
  const sign = millionths < 0 ? '-' : '';
  const digits = String(Math.abs(millionths)).padStart(7, '0');
  const places = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${sign}${digits.slice(0, -6)}.${places}`;
}
