import type { Call } from './call';
import type { Answer, ChatSnapshot, Turn } from './chat';

/** The models chosen for comparing. */
export interface ComparedModels {
  readonly models: readonly string[];
  /** Whether the next question is sent to all of them. */
  readonly on: boolean;
}

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
interface OfTry {
  readonly turnId: string;
  readonly tryId: string;
}

export interface CompareCalls {
  /** Chooses the models to compare; with `on`, the next question is sent to all of them. */
  readonly 'chat/compareWith': Call<ComparedModels, Record<never, never>>;
  /** Saves the question, starts one answer per model, and returns at once. */
  readonly 'chat/compare': Call<
    { readonly text: string; readonly models: readonly string[]; readonly attachments?: readonly string[] },
    { readonly turn: Turn }
  >;
  readonly 'chat/stopTry': Call<OfTry, Record<never, never>>;
  /** Retries one column, or uses another model for it; the other columns are unchanged. */
  readonly 'chat/compareAgain': Call<OfTry & { readonly model: string }, { readonly turn: Turn }>;
  /** Continues the conversation from this answer; the next question is sent to its model only. */
  readonly 'chat/pick': Call<OfTry, ChatSnapshot>;
  /** Shows the answers side by side again. */
  readonly 'chat/showComparison': Call<{ readonly turnId: string }, ChatSnapshot>;
}

/** Maximum number of models that a question can be sent to at once. */
export const mostCompared = 4;
