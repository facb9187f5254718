import type { Question } from './question';

/** Something the demo can do with a question. */
export interface Skill {
  readonly name: string;
  /** Whether this skill should answer the question. */
  readonly fits: (question: Question) => boolean;
  /** Returns the answer in Markdown. */
  readonly write: (question: Question) => string;
}

/** Whether the person's own words match, in either language. */
export const asks = (question: Question, pattern: RegExp): boolean => pattern.test(question.ask);
