import assert from 'node:assert/strict';
import { toTranscriptText } from '../../../src/core/conversation/compactedTranscript';
import { readQuestion } from '../../../src/demo/answers/question';
import { questionsIn, readRetold } from '../../../src/demo/answers/chatEngine';

const rounds = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: `c${at}`, name: 'look', input: {} }] },
    { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: `c${at}`, content: '[user]' }] },
  ]).flat();

describe('the demo service, asked with a transcript', () => {
  it('finds the last question in it, and the number of tool results since', () => {
    const { text } = toTranscriptText([
      { role: 'user', content: 'First' },
      ...rounds(2),
      { role: 'user', content: 'Look it up\nagain' },
      ...rounds(3),
    ]);
    assert.deepEqual(readRetold(text), { ask: 'Look it up\nagain', rounds: 3 });
  });

  it('finds all questions in it, and the one after it', () => {
    const { text } = toTranscriptText([
      { role: 'user', content: 'First\nline' },
      ...rounds(1),
      { role: 'user', content: 'Second' },
      { role: 'assistant', content: '[user]' },
    ]);
    assert.deepEqual(questionsIn(`${text}\n\nThird`), ['First\nline', 'Second', 'Third']);
    assert.deepEqual(questionsIn('Hello'), ['Hello']);
  });

  it('treats the text after it as the question', () => {
    const { text } = toTranscriptText([{ role: 'user', content: 'First' }, ...rounds(2)]);
    assert.deepEqual(readRetold(`${text}\n\nAnd now?`), { ask: 'And now?', rounds: 0 });
  });

  it('finds no question in a transcript without one, and uses the text after it', () => {
    assert.deepEqual(readRetold('[End of the transcript]'), { ask: '', rounds: 0 });
    assert.deepEqual(readRetold('[End of the transcript]\nHello'), { ask: 'Hello', rounds: 0 });
  });

  it("doesn't change other texts", () => {
    for (const text of ['', 'Hello', '[user]\n> Hello']) assert.equal(readRetold(text), undefined);
  });
});

describe('the demo service, asked by a VS Code agent', () => {
  it("answers the user's question, not the surrounding context", () => {
    const around = (ask: string) => `<context>\nIt is Sunday.\n</context>\n<userRequest>\n${ask}\n</userRequest>\n`;
    const question = readQuestion({ text: around('What is a river?'), earlier: [around('Good morning')] });
    assert.deepEqual([question.ask, question.earlier], ['What is a river?', ['Good morning']]);
  });
});
