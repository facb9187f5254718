import type { UnitPrices } from '../../core/api/models/listedPrices';
import type { ModelShare } from '../../core/batch/job/estimateFileTokens';
import { addRanges, enteredPrices, priceRange } from '../../core/prices/prices';
import type { Price, PriceRange } from '../../core/prices/prices';
import type { Settings } from '../../platform/settings';
import type { Profiles } from '../account/account';
import type { ModelCatalogue } from '../models/modelCatalogue';
import type { Costs } from './costs';

interface PriceSources {
  readonly profiles: Profiles;
  readonly models: Pick<ModelCatalogue, 'state'>;
  readonly costs: Costs;
  readonly settings: Settings;
}

/** What is paid for by the piece. */
type Piece = 'image' | 'video' | 'clip';

/**
 * What the models of the active account cost: by the service's list, else as the user entered it, else as learned from the balance. What the
 * service says that a response cost counts more, but is known only afterwards.
 */
export class PriceBook {
  constructor(private readonly sources: PriceSources) {}

  /** Returns the prices per token of a model; `undefined` if unknown. */
  ofTokens(model: string, profileId?: string): Price | undefined {
    return this.first(model, profileId, ({ input, output }) => input !== undefined || output !== undefined);
  }

  /** Returns the price of an image, video, or clip. */
  ofPiece(
    model: string,
    piece: Piece,
    profileId?: string,
  ): { readonly amount: number; readonly source: Price['source'] } | undefined {
    const price = this.first(model, profileId, (prices) => prices[piece] !== undefined);
    const amount = price?.[piece];
    if (price && amount !== undefined) return { amount, source: price.source };
    const kind = piece === 'clip' ? 'speech' : piece;
    const learned = this.sources.costs.last(kind).find((cost) => cost.model === model);
    return learned && { amount: Number(learned.fell) / learned.count, source: 'learned' };
  }

  /** Returns the range of what the requests of a batch file cost. */
  ofRequests(shares: readonly ModelShare[], { model, batchDiscount, isBatch }: RequestPricing): PriceRange | undefined {
    return addRanges(
      shares.map((share) => {
        const asked = model ?? share.model;
        const known = priceRange(this.ofTokens(asked), share, isBatch ? batchDiscount : 1);
        return known ?? this.learnedBatch(asked, share.requests, isBatch ? 1 : 1 / batchDiscount);
      }),
    );
  }

  private first(
    model: string,
    profileId: string | undefined,
    isKnown: (prices: UnitPrices) => boolean,
  ): Price | undefined {
    const { models, profiles, settings } = this.sources;
    const { state } = models;
    const isActive = profileId === undefined || profileId === (profiles.active?.id ?? '');
    const listed = isActive ? state.models.find(({ id }) => id === model)?.prices : undefined;
    if (listed && isKnown(listed)) return { ...listed, source: 'list' };
    const entered = enteredPrices(settings.get('prices'), model);
    return entered && isKnown(entered) ? { ...entered, source: 'entered' } : undefined;
  }

  /** By the last batch with the model. `times`: how many times as much is charged. */
  private learnedBatch(model: string, requests: number, times: number): PriceRange | undefined {
    const last = this.sources.costs.last('batch').find((cost) => cost.model === model);
    if (!last || last.count === 0) return undefined;
    const amount = (Number(last.fell) / last.count) * times * requests;
    return { least: amount, most: amount, source: 'learned', isEstimate: false };
  }
}

interface RequestPricing {
  /** Takes the place of the models of the lines. */
  readonly model?: string | undefined;
  /** The part of the price that a batch is charged. */
  readonly batchDiscount: number;
  /** Whether the requests are sent as a batch. */
  readonly isBatch: boolean;
}
