import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldAlternatives } from '../../../../src/core/completion/alternatives';
import { createAnswerRecorder } from '../../../../src/core/completion/answerRecorder';
import { confidenceOf, isUnsure } from '../../../../src/core/completion/confidence';
import { cssText } from '../../../../src/core/completion/cssText';
import { isBinary, promptBefore, promptTokens } from '../../../../src/core/completion/promptText';
import { estimateTokens } from '../../../../src/core/tokens/estimate';

describe('the text before a cursor as a prompt', () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of a long text`).join('\n');

  it('is complete if it fits', () => {
    assert.deepEqual(promptBefore('one\ntwo', 100), { prompt: 'one\ntwo', isCut: false });
    assert.deepEqual(promptBefore('', 100), { prompt: '', isCut: false });
  });

  it("starts at a line if it doesn't fit, with the end unchanged", () => {
    const { prompt, isCut } = promptBefore(lines, 500);
    assert.ok(isCut);
    assert.ok(lines.endsWith(prompt));
    assert.equal(lines.at(-prompt.length - 1), '\n');
    assert.ok(estimateTokens(prompt) <= 500 && estimateTokens(prompt) > 350);
  });

  it('is cut within a line that is too long by itself, but not within a character', () => {
    for (const text of ['😀'.repeat(5000), `a${'😀'.repeat(5000)}`]) {
      for (let most = 90; most < 110; most++) {
        const { prompt, isCut } = promptBefore(text, most);
        assert.ok(isCut && !/\p{Surrogate}/u.test(prompt) && prompt.length > 0);
      }
    }
  });

  it('never exceeds its token limit, and is always a suffix of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const { prompt, isCut } = promptBefore(text, most);
        assert.ok(text.endsWith(prompt) && estimateTokens(prompt) <= most);
        assert.equal(isCut, prompt.length < text.length);
      }),
    );
  });

  it('leaves space for the response', () => {
    assert.equal(promptTokens(10_000, 5000), 4000);
    assert.equal(promptTokens(10_000, 1_000_000), 4000);
    assert.equal(promptTokens(undefined, 10), 16_000);
    assert.ok(promptTokens(1, undefined) >= 1);
  });

  it('is distinguished from binary content', () => {
    assert.ok(isBinary('PNG\0'));
    assert.ok(isBinary('\uFFFD'.repeat(20)));
    assert.ok(!isBinary('a text\twith \u001b[31mcolours\u001b[0m\r\n and one \uFFFD'));
  });
});

describe('several completions', () => {
  it('are merged if their texts are the same, in their original order', () => {
    const choices = ['a', 'b', 'a', '', 'a'].map((text, index) => ({
      index,
      text,
      finish_reason: index === 2 ? 'length' : 'stop',
    }));
    assert.deepEqual(foldAlternatives(choices), [
      { text: 'a', count: 3, index: 0, finishReasons: ['stop', 'length'] },
      { text: 'b', count: 1, index: 1, finishReasons: ['stop'] },
      { text: '', count: 1, index: 3, finishReasons: ['stop'] },
    ]);
  });

  it('are kept as far as they were received', () => {
    const recorder = createAnswerRecorder();
    recorder.add({ type: 'start', model: 'm' });
    recorder.add({ type: 'text', index: 1, text: 'b', logprobs: { tokens: ['b'], token_logprobs: [-1] } });
    recorder.add({ type: 'text', index: 0, text: 'a' });
    recorder.add({ type: 'text', index: 1, text: 'B' });
    recorder.add({ type: 'finish', index: 1, reason: 'stop' });
    assert.deepEqual(recorder.read(), {
      model: 'm',
      usage: {},
      choices: [
        { index: 0, text: 'a' },
        {
          index: 1,
          text: 'bB',
          finish_reason: 'stop',
          logprobs: { tokens: ['b'], token_logprobs: [-1], top_logprobs: [null] },
        },
      ],
    });
  });
});

describe('the confidence of a model', () => {
  it('is shown in levels', () => {
    const steps = [0, -0.5, -1.2, -5, null, Number.NaN, 0.01, -Infinity].map(confidenceOf);
    assert.deepEqual(steps, ['sure', 'likely', 'unsure', 'doubtful', undefined, undefined, 'sure', 'doubtful']);
    assert.ok(isUnsure(-1.2) && !isUnsure(-0.5) && !isUnsure(null));
  });
});

describe('a text as a CSS string', () => {
  it("can't end the string or begin a rule", () => {
    assert.equal(cssText('a "b"\n}\\'), String.raw`"a \22 b\22 \a \7d \5c "`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.match(cssText(text), /^"(?:[\p{L}\p{N} ]|\\[0-9a-f]+ )*"$/u);
      }),
    );
  });
});
