import * as z from 'zod/mini';
import { call, returns, type Accepted } from './call';
import type { Answer, ChatSnapshot, Turn } from './chat';
import { mostCompared } from './chatBounds';
import { attachments, id, model, question } from './chatFields';
import type { CostText } from './wire';

const oneModel = model.check(z.minLength(1));
const models = z.array(oneModel).check(
  z.maxLength(mostCompared),
  z.refine((ids) => new Set(ids).size === ids.length),
);
/** A comparison takes at least two models. */
const several = models.check(z.minLength(2));

/** The models chosen for comparing. */
const compared = z
  .strictObject({
    models,
    /** Whether the next question is sent to all of them. */
    on: z.boolean(),
  })
  .check(z.refine((chosen) => !chosen.on || several.safeParse(chosen.models).success));
export type ComparedModels = Accepted<typeof compared>;

/** Attempts at the answer to one question, started together with different models. */
export interface Comparison {
  /** The answers side by side; empty while the turn shows a single answer. */
  readonly columns: readonly ComparedAnswer[];
  /** Number of answers compared. */
  readonly count: number;
}

export interface ComparedAnswer {
  readonly tryId: string;
  readonly answer: Answer;
  /** Parameters that were not sent because the model is known to reject them. Absent if none. */
  readonly leftOut?: readonly string[];
  /** Set if the conversation was continued from this answer before the columns were shown again. */
  readonly picked?: true;
}

/** Identifies one of the compared answers. */
const ofTry = { turnId: id, tryId: id };

/** The cost of the next question for several models. Texts are localized. */
export interface ComparisonPrice {
  readonly total: CostText;
  readonly each: readonly ({ readonly model: string } & CostText)[];
}

export const compareCalls = {
  /**
   * Returns the price of the question in the box, as it is saved, or of asking that of a turn again, or of continuing its response. Returns
   * nothing without a question or if the service has no prices.
   */
  'chat/price': call(
    z.strictObject({ models, turnId: z.optional(id), continues: z.optional(z.boolean()) }),
    returns<{ readonly price?: ComparisonPrice }>(),
  ),
  /** Chooses the models to compare; with `on`, the next question is sent to all of them. */
  'chat/compareWith': call(compared),
  /** Saves the question, starts one answer per model, and returns at once. */
  'chat/compare': call(
    z.strictObject({ text: question, models: several, attachments }),
    returns<{ readonly turn: Turn }>(),
  ),
  'chat/stopTry': call(z.strictObject(ofTry)),
  /** Retries one column, or uses another model for it; the other columns are unchanged. */
  'chat/compareAgain': call(z.strictObject({ ...ofTry, model: oneModel }), returns<{ readonly turn: Turn }>()),
  /** Continues the conversation from this answer; the next question is sent to its model only. */
  'chat/pick': call(z.strictObject(ofTry), returns<ChatSnapshot>()),
  /** Shows the answers side by side again. */
  'chat/showComparison': call(z.strictObject({ turnId: id }), returns<ChatSnapshot>()),
};
