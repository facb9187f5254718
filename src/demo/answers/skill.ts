import type { Question } from './question';

/** One thing the demo can do with a question. */
export interface Skill {
  readonly name: string;
  /** Whether the question asks for it. */
  readonly fits: (question: Question) => boolean;
  /** Markdown. */
  readonly write: (question: Question) => string;
}

/** Whether the person's own words match, in either language. */
export const asks = (question: Question, pattern: RegExp): boolean => pattern.test(question.ask);
