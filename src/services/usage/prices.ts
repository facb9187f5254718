import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { env } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { UnitPrices } from '../../core/api/models/listedPrices';
import type { Recipe } from '../../core/assets/recipe';
import { isSameService } from '../../core/jobs/sameService';
import {
  expectedAsset,
  knownCharge,
  notedCharge,
  paidInAll,
  type ExpectedCharge,
  type KnownPrices,
  type NotedCharges,
  type Piece,
} from '../../core/prices/paidWork';
import { addRanges, enteredPrices, expectedAmount, priceRange, tokenCost } from '../../core/prices/prices';
import type { Price, PriceRange, PriceSource } from '../../core/prices/prices';
import { currencyOf, hasPrices } from '../../core/profiles/knownServices';
import { batchDiscountAt } from '../../core/profiles/vendorRules';
import { createJsonFile } from '../../core/storage/storedFile';
import { estimateErrorPercent } from '../../core/tokens/estimate';
import { LearnedTokens, readLearnedTokens } from '../../core/tokens/learnedTokens';
import type { UsageSource } from '../../core/usage/usage';
import type { Settings } from '../../platform/settings';
import { exactMoneyText, moneyText, type Currency } from '../../protocol/formats';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import { sentences } from '../../protocol/sentences';
import type { CostText } from '../../protocol/wire';
import type { Account, Profiles } from '../account/account';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { ModelCatalogue } from '../models/modelCatalogue';
import type { Costs } from './costs';

interface PriceSources {
  readonly account: Account;
  readonly profiles: Profiles;
  readonly models: ModelCatalogue;
  readonly costs: Costs;
  readonly settings: Settings;
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
}

/** Requests to one model that are paid for by their tokens. */
export interface ExpectedRequests {
  readonly model: string;
  readonly requests: number;
  /** As `countInputTokens` estimates them, of all requests together. The price book corrects them for the model. */
  readonly inputTokens: number;
  /** Of all responses together: 0 if there is nothing to pay, `undefined` if a request sets no limit. */
  readonly outputLimit: number | undefined;
}

/** Requests to one model that were answered, with the tokens that were counted. */
export interface ChargedRequests {
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Their cost as reported by the service. */
  readonly cost?: number | undefined;
}

/** Items charged individually. */
interface ExpectedPieces {
  readonly model: string;
  readonly piece: Piece;
  readonly count: number;
}

/** A part of something that is about to be paid for. */
export type Expected = ExpectedRequests | ExpectedPieces;

/** A price in a table. */
interface BriefPrice {
  /** E.g. "~$0.48", or "unknown". */
  readonly likely: string;
  /** E.g. "est. $0.10–$0.48"; absent if it is unknown. */
  readonly range?: string;
  readonly hint: string;
}

/** The charge of a job. */
export interface Charge {
  readonly amount: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** Absent if unknown. */
  readonly currency: Currency | undefined;
  /** Says how that is known. */
  readonly hint: string;
}

interface QuoteOptions {
  /** The account that pays; the active one if absent. */
  readonly profileId?: string | undefined;
  /** Whether the requests are sent as a batch. */
  readonly isBatch?: boolean | undefined;
  /** The purpose of the responses, because earlier ones for the same purpose have a similar length. */
  readonly purpose?: UsageSource | undefined;
}

interface LabelOptions extends QuoteOptions {
  /** Whether more will be sent than is known yet. */
  readonly isPartial?: boolean | undefined;
}

/**
 * The prices of an account's models, and how many tokens they count. A price is the one of the service's list, or else as the user entered
 * it, or as learned from the balance. The service's reported cost of a response takes precedence, but is known only afterward.
 */
export class PriceBook {
  private readonly tokens = new Map<string, LearnedTokens>();
  /** The models with the prices that services list, by account with its base URL: also of accounts that aren't active. */
  private readonly lists = new Map<string, readonly CatalogueModel[]>();

  constructor(private readonly sources: PriceSources) {}

  /** Returns what is learned of the token counts of an account. */
  learned(profileId: string): LearnedTokens {
    const { context, log } = this.sources;
    const path = join(context.globalStorageUri.fsPath, 'tokenFactors', `${profileId}.json`);
    const known =
      this.tokens.get(profileId) ??
      new LearnedTokens(createJsonFile(path, readLearnedTokens), (error) => log.warn(`Token counts: ${String(error)}`));
    this.tokens.set(profileId, known);
    // Never rejects. Pages ask for prices without waiting.
    void known.load();
    return known;
  }

  /** Reads what is known of all accounts. Never rejects. Until then, estimates and prices are less exact. */
  async ready(): Promise<void> {
    const { costs, profiles } = this.sources;
    await Promise.all([
      this.learned(this.activeId).load(),
      costs.ready(),
      ...profiles.list.map(({ id }) => this.readList(id)),
    ]);
  }

  /** Reads the prices that the service of an account lists. Never rejects. They stay known when another account becomes active. */
  async readList(profileId: string): Promise<void> {
    const key = this.listKey(profileId);
    if (profileId !== this.activeId && this.lists.has(key)) return;
    const models = await this.sources.models.stored(profileId);
    if (models.length > 0) this.lists.set(key, models);
  }

  private listKey(profileId: string): string {
    return `${profileId} ${this.sources.profiles.get(profileId)?.baseUrl}`;
  }

  /** Returns how many tokens the models count for input that was estimated without knowing them. */
  inputTokens(
    parts: readonly { readonly model: string; readonly inputTokens: number }[],
    profileId = this.activeId,
  ): number {
    const learned = this.learned(profileId);
    return parts.reduce((sum, { model, inputTokens }) => sum + Math.ceil(inputTokens * learned.factorOf(model)), 0);
  }

  /**
   * Returns the price of everything that a request or run is about to send, as text: "about $0.10 to $0.48", "unknown", or "free". The hint
   * states its source, its accuracy, and the exact amounts.
   */
  quote(parts: readonly Expected[], options: QuoteOptions = {}): CostText {
    const { profileId = this.activeId } = options;
    const { profiles } = this.sources;
    const baseUrl = profiles.get(profileId)?.baseUrl;
    if (baseUrl !== undefined && !hasPrices(baseUrl)) return { text: l10n.t('free'), hint: '' };
    return rangeText(this.range(parts, options), baseUrl);
  }

  /** Returns the price of a request or run in a short form for a table, or `undefined` if the service has none. */
  brief(parts: readonly Expected[], options: QuoteOptions = {}): BriefPrice | undefined {
    const baseUrl = this.sources.profiles.get(options.profileId ?? this.activeId)?.baseUrl;
    if (baseUrl === undefined || !hasPrices(baseUrl)) return undefined;
    const range = this.range(parts, options);
    if (!range) return { likely: l10n.t('unknown'), hint: rangeText(undefined, baseUrl).hint };
    const money = (amount: number) => moneyText(amount, currencyOf(baseUrl), env.language);
    const [least, most] = [money(range.least), range.most === undefined ? undefined : money(range.most)];
    return {
      likely: `~${money(expectedAmount(range))}`,
      range: most === undefined || most === least ? l10n.t('est. {0}', least) : l10n.t('est. {0}–{1}', least, most),
      hint: rangeText(range, baseUrl).hint,
    };
  }

  /**
   * Returns the price of a million tokens of a model, e.g. "$0.27 in and $1.10 out per million tokens", or `undefined` if the service has
   * no prices.
   */
  perMillion(model: string, profileId = this.activeId): string | undefined {
    const baseUrl = this.sources.profiles.get(profileId)?.baseUrl;
    if (baseUrl === undefined || !hasPrices(baseUrl)) return undefined;
    const price = this.ofTokens(model, profileId);
    if (!price) return l10n.t('Price unknown');
    const money = (amount: number | undefined) =>
      amount === undefined
        ? l10n.t('unknown')
        : moneyText(Number((amount * 1e6).toPrecision(12)), currencyOf(baseUrl), env.language);
    return l10n.t('{0} in and {1} out per million tokens', money(price.input), money(price.output));
  }

  /** Returns the label of an action with its price, e.g. "Regenerate (about $0.03)"; the label alone if the service has no prices. */
  label(action: string, parts: readonly Expected[], options: LabelOptions = {}): string {
    const baseUrl = this.sources.profiles.get(options.profileId ?? this.activeId)?.baseUrl;
    if (parts.length === 0 || baseUrl === undefined || !hasPrices(baseUrl)) return action;
    const range = this.range(parts, options);
    if (!range) return l10n.t('{0} (price unknown)', action);
    const shown = options.isPartial ? { ...range, most: undefined, isEstimate: true } : range;
    return l10n.t('{0} ({1})', action, rangeText(shown, baseUrl).text);
  }

  /** Returns the label of an action that sends the request of a file again; with a price if the file is of the account's service. */
  regenerateLabel(recipe: Recipe): string {
    const label = l10n.t('Regenerate');
    const { baseUrl } = this.sources.account.current;
    if (baseUrl === undefined || !isSameService(recipe.service, baseUrl)) return label;
    return this.label(label, [expectedAsset(recipe)]);
  }

  private range(parts: readonly Expected[], options: QuoteOptions = {}): PriceRange | undefined {
    return addRanges(
      parts.map((part) => ('piece' in part ? this.ofPieces(part, options) : this.ofRequests(part, options))),
    );
  }

  /** Returns what requests were charged by the known prices, e.g. "$0.03"; `undefined` if one is unknown or nothing was sent. */
  charged(parts: readonly ChargedRequests[], profileId = this.activeId): CostText | undefined {
    const baseUrl = this.sources.profiles.get(profileId)?.baseUrl;
    if (parts.length === 0 || (baseUrl !== undefined && !hasPrices(baseUrl))) return undefined;
    const ranges = parts.map(({ model, cost, ...counts }): PriceRange | undefined => {
      const price = this.ofTokens(model, profileId);
      if (cost !== undefined) return { least: cost, source: 'response', isEstimate: false };
      const least = price && tokenCost(price, counts);
      return price && least !== undefined ? { least, source: price.source, isEstimate: false } : undefined;
    });
    const sum = addRanges(ranges);
    if (!sum) return undefined;
    const { hint } = rangeText(sum, baseUrl);
    return { text: moneyText(sum.least, currencyOf(baseUrl), env.language), hint };
  }

  /**
   * Returns a job's charge as recorded, by the known prices, or as the service reported it, or `undefined` if it is unknown. `noted`: what
   * was recorded when it was charged, because prices might have changed since.
   */
  chargedFor(job: BatchJob | MediaJob, noted: NotedCharges | undefined): Charge | undefined {
    const { profileId } = job;
    const baseUrl = this.sources.profiles.get(profileId)?.baseUrl;
    if (baseUrl === undefined || !hasPrices(baseUrl)) return undefined;
    const work = paidInAll(job);
    const byPrice = knownCharge(work, this.known(profileId));
    const amount = notedCharge(work, noted) ?? byPrice;
    if (amount === undefined) return undefined;
    // Sums of prices aren't exact.
    if (byPrice === undefined || Math.abs(amount - byPrice) > byPrice * 1e-9)
      return {
        amount,
        at: work.at,
        currency: currencyOf(baseUrl),
        hint: l10n.t('Calculated with the price at that time.'),
      };
    const price =
      work.kind === 'batch'
        ? this.ofTokens(work.model ?? work.usage[0]?.model ?? '', profileId)
        : this.ofPiece(work.model, work.kind, profileId);
    return { amount, at: work.at, currency: currencyOf(baseUrl), hint: sourceText(price?.source ?? 'response') };
  }

  /** Returns about what will be charged; 0 if that is unknown or there is nothing to charge. */
  expected(charge: ExpectedCharge | undefined, { profileId, purpose }: QuoteOptions): number {
    const isBatch = charge && 'isBatch' in charge && charge.isBatch;
    const range = charge && this.range([charge], { profileId, isBatch, purpose });
    return range ? expectedAmount(range) : 0;
  }

  /** Returns what is known of the prices of an account apart from its balance. */
  known(profileId: string): KnownPrices {
    return {
      ofTokens: (model) => this.ofTokens(model, profileId),
      ofPiece: (model, piece) => {
        const price = this.ofPiece(model, piece, profileId);
        return price?.source === 'learned' ? undefined : price?.amount;
      },
      batchDiscount: batchDiscountAt(this.sources.profiles.get(profileId)?.baseUrl),
    };
  }

  /** Returns the prices per token of a model; `undefined` if unknown. */
  ofTokens(model: string, profileId?: string): Price | undefined {
    return this.first(model, profileId, ({ input, output }) => input !== undefined || output !== undefined);
  }

  /** Returns the price of an image, video, clip, or transcription. */
  ofPiece(
    model: string,
    piece: Piece,
    profileId?: string,
  ): { readonly amount: number; readonly source: PriceSource } | undefined {
    const unit = piece === 'transcription' ? 'request' : piece;
    const price = this.first(model, profileId, (prices) => prices[unit] !== undefined);
    // Lists have 0 for the requests of models that are charged by the minute.
    const amount = unit === 'request' && price?.source === 'list' ? price.request || undefined : price?.[unit];
    if (price && amount !== undefined) return { amount, source: price.source };
    const kind = piece === 'clip' ? 'speech' : piece;
    const learned = this.sources.costs.last(kind, profileId).find((cost) => cost.model === model);
    return learned && { amount: Number(learned.fell) / learned.count, source: 'learned' };
  }

  private get activeId(): string {
    return this.sources.account.current.id;
  }

  private ofPieces({ model, piece, count }: ExpectedPieces, { profileId }: QuoteOptions): PriceRange | undefined {
    const price = this.ofPiece(model, piece, profileId);
    return price && { least: price.amount * count, source: price.source, isEstimate: false };
  }

  private ofRequests(
    { model, requests, inputTokens, outputLimit }: ExpectedRequests,
    { profileId = this.activeId, isBatch = false, purpose }: QuoteOptions,
  ): PriceRange | undefined {
    const discount = batchDiscountAt(this.sources.profiles.get(profileId)?.baseUrl);
    const output =
      outputLimit === 0
        ? undefined
        : this.learned(profileId).outputOf(model, purpose ?? (isBatch ? 'batchLines' : 'other'));
    const counted = this.inputTokens([{ model, inputTokens }], profileId);
    const known = priceRange(
      this.ofTokens(model, profileId),
      { requests, inputTokens: counted, outputLimit, output },
      isBatch ? discount : 1,
    );
    const isOfBatch = isBatch || purpose === 'batchLines';
    if (known || !isOfBatch) return known;
    return this.learnedBatch(model, { requests, times: isBatch ? 1 : 1 / discount, profileId });
  }

  private first(
    model: string,
    profileId: string = this.activeId,
    isKnown: (prices: UnitPrices) => boolean,
  ): Price | undefined {
    const { settings } = this.sources;
    const { state } = this.sources.models;
    const known = state.profileId === profileId && state.models.length > 0 ? state.models : undefined;
    const models = known ?? this.lists.get(this.listKey(profileId)) ?? [];
    const listed = models.find(({ id }) => id === model)?.prices;
    if (listed && isKnown(listed)) return { ...listed, source: 'list' };
    const entered = enteredPrices(settings.get('prices'), model);
    return entered && isKnown(entered) ? { ...entered, source: 'entered' } : undefined;
  }

  /** By the last batch with the model. `times`: how many times as much is charged. */
  private learnedBatch(
    model: string,
    { requests, times, profileId }: { readonly requests: number; readonly times: number; readonly profileId: string },
  ): PriceRange | undefined {
    const last = this.sources.costs.last('batch', profileId).find((cost) => cost.model === model);
    if (!last || last.count === 0) return undefined;
    const amount = (Number(last.fell) / last.count) * times * requests;
    return { least: amount, most: amount, source: 'learned', isEstimate: false };
  }
}

function rangeText(range: PriceRange | undefined, baseUrl: string | undefined): CostText {
  if (!range) {
    const hint = l10n.t(
      "The price isn't known. To estimate costs, enter prices in the setting {0}.",
      'inferenceDesk.prices',
    );
    return { text: l10n.t('unknown'), hint };
  }
  const { least, most, isEstimate } = range;
  const [from, to] = [least, most].map(
    (amount) => amount !== undefined && moneyText(amount, currencyOf(baseUrl), env.language),
  );
  const hint = hintOf(range, baseUrl);
  if (from === undefined || from === false) return { text: l10n.t('unknown'), hint };
  if (!to && isEstimate) return { text: l10n.t('{0} or more', from), hint };
  return { text: !to || to === from ? l10n.t('about {0}', from) : l10n.t('about {0} to {1}', from, to), hint };
}

function hintOf(
  { least, most = least, source, isEstimate, hasUsualOutput, mostBy }: PriceRange,
  baseUrl: string | undefined,
): string {
  const currency = currencyOf(baseUrl);
  const exactly = (amount: number) => exactMoneyText(Number(amount.toPrecision(12)), currency, env.language);
  const isRounded = [least, most].some((amount) => exactly(amount) !== moneyText(amount, currency, env.language));
  const exact =
    least === most
      ? l10n.t('Unrounded: {0}.', exactly(least))
      : l10n.t('Unrounded: {0} to {1}.', exactly(least), exactly(most));
  return sentences(
    sourceText(source),
    isEstimate ? l10n.t('Token counts are estimated, usually within {0}%.', estimateErrorPercent) : undefined,
    hasUsualOutput ? l10n.t('The lower estimate assumes responses of average length.') : undefined,
    mostBy === 'limit' ? l10n.t('The upper estimate assumes responses that reach the token limit.') : undefined,
    mostBy === 'longest'
      ? l10n.t('The upper estimate assumes responses as long as the longest recent one.')
      : undefined,
    isRounded ? exact : undefined,
  );
}

function sourceText(source: PriceSource): string {
  switch (source) {
    case 'response':
      return l10n.t('Reported by the service.');
    case 'list':
      return l10n.t("Calculated with the prices in the service's model list.");
    case 'entered':
      return l10n.t('Calculated with the prices in your settings.');
    case 'learned':
      return l10n.t('Estimated from earlier changes in your balance.');
  }
}
