import { createTermCounter, questionTerms } from './terms';

export interface FocusLine {
  /** Line number within the text, from 0. */
  readonly line: number;
  readonly text: string;
}

/** Returns a function that finds the line with the most of the question's words; without any, the first line with a letter or digit. */
export function createFocus(question: string): (text: string) => FocusLine {
  const countIn = createTermCounter(questionTerms(question));
  return (text) => {
    const lines = text.split(/\r\n|\n|\r/);
    const counts = lines.map((line) => countIn(line).size);
    const most = Math.max(...counts);
    const line =
      most > 0
        ? counts.indexOf(most)
        : Math.max(
            0,
            lines.findIndex((one) => /[\p{L}\p{N}]/u.test(one)),
          );
    return { line, text: lines[line]! };
  };
}
