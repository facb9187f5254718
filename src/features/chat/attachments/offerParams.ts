import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { Screen } from '../../../protocol/call';
import { maxAttachedCharacters } from '../../../protocol/chatOffers';
import type { OfferCalls } from '../../../protocol/chatOffers';

interface OfferScreen extends Screen {
  readonly calls: OfferCalls;
}

const name = z.string().check(z.minLength(1), z.maxLength(300));
const uri = z.string().check(z.minLength(1), z.maxLength(4000));
/** A guard against a misbehaving page; too many attachments for a question give a localized error elsewhere. */
const maxDropped = 100;

export const offerParams: ParamSchemas<OfferScreen> = {
  'chat/offers': z.strictObject({ query: z.string().check(z.maxLength(200)) }),
  'chat/attachOffer': z.strictObject({ id: z.uuid() }),
  'chat/drop': z.strictObject({
    uris: z.array(uri).check(z.maxLength(maxDropped)),
    files: z
      .array(
        z.union([
          z.strictObject({ name, text: z.string().check(z.maxLength(maxAttachedCharacters)) }),
          z.strictObject({ name, trouble: z.enum(['notText', 'tooLong', 'folder']) }),
        ]),
      )
      .check(z.maxLength(maxDropped)),
  }),
};
