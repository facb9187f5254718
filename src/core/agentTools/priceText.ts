import type { UnitPrices } from '../api/models/listedPrices';
import { moneyText, type Currency } from '../../protocol/formats';

const million = 1e6;

/** Returns the listed prices of a model for a user who is asked before it is used. */
export function priceText(prices: UnitPrices, currency: Currency | undefined): string {
  const money = (amount: number) => moneyText(amount, currency, 'en');
  const { input, output, request, image, video, clip } = prices;
  const tokens = [
    ...(input === undefined ? [] : [`${money(input * million)} input`]),
    ...(output === undefined ? [] : [`${money(output * million)} output`]),
  ];
  return [
    ...(tokens.length > 0 ? [`${tokens.join(', ')} per million tokens`] : []),
    ...(request ? [`${money(request)} per request`] : []),
    ...(image === undefined ? [] : [`${money(image)} per image`]),
    ...(video === undefined ? [] : [`${money(video)} per video`]),
    ...(clip === undefined ? [] : [`${money(clip)} per clip`]),
  ].join(', ');
}
