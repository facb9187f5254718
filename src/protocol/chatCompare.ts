import type { Call } from './call';
import type { Answer, ChatSnapshot, Turn } from './chat';

/** The models chosen for comparing. */
export interface ComparedModels {
  readonly models: readonly string[];
  /** The next question goes to all of them. */
  readonly on: boolean;
}

/** Tries at the answer of one question that were begun together with different models. */
export interface Comparison {
  /** Side by side; empty while the turn shows one answer as any other does. */
  readonly columns: readonly ComparedAnswer[];
  /** How many answers were compared. */
  readonly count: number;
}

export interface ComparedAnswer {
  readonly tryId: string;
  readonly answer: Answer;
  /** The parameters its model was known not to take. Absent: none. */
  readonly leftOut?: readonly string[];
  /** The conversation went on with it before the columns were shown again. */
  readonly picked?: true;
}

/** One of the answers compared. */
interface OfTry {
  readonly turnId: string;
  readonly tryId: string;
}

export interface CompareCalls {
  /** Chooses models for comparing; with `on` the next question goes to all of them. */
  readonly 'chat/compareWith': Call<ComparedModels, Record<never, never>>;
  /** Writes the question down, starts an answer of each model, and returns at once. */
  readonly 'chat/compare': Call<
    { readonly text: string; readonly models: readonly string[]; readonly attachments?: readonly string[] },
    { readonly turn: Turn }
  >;
  readonly 'chat/stopTry': Call<OfTry, Record<never, never>>;
  /** Asks one column again, or another model in its place; the other columns stay as they are. */
  readonly 'chat/compareAgain': Call<OfTry & { readonly model: string }, { readonly turn: Turn }>;
  /** The conversation goes on with this answer, and the next question goes to its model alone. */
  readonly 'chat/pick': Call<OfTry, ChatSnapshot>;
  /** Puts the answers side by side again. */
  readonly 'chat/showComparison': Call<{ readonly turnId: string }, ChatSnapshot>;
}

/** The most models a question goes to at once. */
export const mostCompared = 4;

/** The words of comparing. */
export interface CompareStrings {
  readonly compare: string;
  readonly compareHint: string;
  readonly compareChoose: string;
  readonly compareStart: string;
  readonly compareMost: string;
  readonly compareOne: string;
  readonly closeCompare: string;
  readonly comparedModels: string;
  readonly compareLine: string;
  readonly sendTo: string;
  readonly sendToHint: string;
  readonly comparedAnswers: string;
  readonly fastestFirst: string;
  readonly mostPerSecond: string;
  readonly leftOut: string;
  readonly continueWith: string;
  readonly continueWithHint: string;
  readonly stopOne: string;
  readonly copyOf: string;
  readonly againOf: string;
  readonly pickHint: string;
  readonly picked: string;
  readonly columnWaiting: string;
  readonly columnFailed: string;
  readonly columnCutOff: string;
  readonly columnDone: string;
  readonly showComparison: string;
  readonly spokenComparing: string;
  readonly spokenColumn: string;
  readonly spokenPicked: string;
}
