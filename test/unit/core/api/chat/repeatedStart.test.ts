import { equal } from 'node:assert/strict';
import { RepeatedStart } from '../../../../../src/core/api/chat/answerReader';

const cases: readonly (readonly [what: string, given: string, answer: string, continued: string])[] = [
  ['removes a repeated start', 'The answer is forty', 'The answer is forty-two, and', '-two, and'],
  ['removes a start without its trailing space', 'The answer is ', 'The answer is forty', 'forty'],
  ['removes a start repeated with its space', 'Roses ', ' Roses are', 'are'],
  ['removes a start after empty thinking', '1, 2, 3,', '<think>\n\n</think>\n\n1, 2, 3, 4', ' 4'],
  ['keeps empty thinking before another start', '1, 2, 3,', '<think>\n</think>\n4', '<think>\n</think>\n4'],
  ['keeps thinking that has a text', '1, 2, 3,', '<think>So</think>1, 2, 3, 4', '<think>So</think>1, 2, 3, 4'],
  ['removes a start within thinking', '<think>First', '<think>First, I', ', I'],
  ['removes the space before a continuation that is not sent', 'Roses ', ' are red', 'are red'],
  ['removes the line end before a continuation that is not sent', 'A\n', '\nB', 'B'],
  ['keeps a blank line before a continuation', 'Roses\n', '\n\nare', '\nare'],
  ['keeps a continuation', 'The answer is', ' forty-two', ' forty-two'],
  ['keeps a continuation that begins like the start', 'The answer is', 'The answers differ', 'The answers differ'],
  ['keeps a continuation that ends within the start', 'The answer is', 'The', 'The'],
  ['keeps a short start that occurs by chance', 'A', 'A B', 'A B'],
  ['keeps the space of a continuation after a start without one', 'Roses are', 'Roses are red', ' red'],
  ['returns an answer without a prefill unchanged', '', 'Hello', 'Hello'],
];

describe('the prefilled start of an answer', () => {
  for (const [what, provided, answer, continued] of cases) {
    it(`${what}, wherever the answer is split`, () => {
      for (let size = 1; size <= answer.length; size++) {
        const messages = [{ role: 'user', content: 'Q' } as const, { role: 'assistant', content: provided } as const];
        const start = new RepeatedStart(messages);
        let text = '';
        for (let at = 0; at < answer.length; at += size) text += start.push(answer.slice(at, at + size));
        equal(text + start.end(), continued);
      }
    });
  }
});
