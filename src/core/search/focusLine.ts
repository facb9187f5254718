import { createTermCounter, questionTerms } from './terms';

export interface FocusLine {
  /** From 0, in the text. */
  readonly line: number;
  readonly text: string;
}

/** The line of a text that has the most of a question's words; the first that says something where none has one. */
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
