import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokenSpans } from '../../../../src/core/completion/tokenSpans';

const logprobsOf = (tokens: readonly string[]) => ({ tokens, token_logprobs: tokens.map((_, index) => -index / 10) });
const textsOf = (text: string, tokens: readonly string[]) =>
  tokenSpans(text, logprobsOf(tokens)).map(({ start, end }) => text.slice(start, end));
const splitAt = (text: string, cuts: readonly number[]) => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};

describe('the tokens of a text', () => {
  it('are located where they occur literally', () => {
    assert.deepEqual(tokenSpans('a cat', { tokens: ['a', ' cat'], token_logprobs: [null, -0.5] }), [
      { start: 0, end: 1, text: 'a', logprob: null, alternatives: [] },
      { start: 1, end: 5, text: ' cat', logprob: -0.5, alternatives: [] },
    ]);
  });

  it('are decoded from the blank and line-end notations of vocabularies', () => {
    assert.deepEqual(textsOf(' a\n\tb c', ['Ġa', 'Ċ', 'ĉ', 'b', '▁c']), [' a', '\n', '\t', 'b', ' c']);
    assert.deepEqual(textsOf('a\r\nb\r\n\r\nc', ['a', '\n', 'b', '\n\n', 'c']), ['a', '\r\n', 'b', '\r\n\r\n', 'c']);
    assert.deepEqual(textsOf('a\nb', ['a', '\r\n', 'b']), ['a', '\n', 'b']);
  });

  it('that are bytes of one character are merged, and their probabilities multiplied', () => {
    const tokens = ['x', 'bytes:\\xe4\\xbd', 'bytes:\\xa0', '<0x0A>', 'y'];
    const spans = tokenSpans('x你\ny', logprobsOf(tokens));
    assert.deepEqual(
      spans.map(({ text, logprob }) => [text, logprob && Number(logprob.toFixed(3))]),
      [
        ['x', -0],
        ['你', -0.3],
        ['\n', -0.3],
        ['y', -0.4],
      ],
    );
  });

  it("that don't occur are omitted, and those after them are located again", () => {
    assert.deepEqual(textsOf('The end.', ['<|im_start|>', 'The', ' end', '.', '<|endoftext|>']), ['The', ' end', '.']);
    assert.deepEqual(textsOf('one two three', ['one', ' four', ' three']), ['one', ' three']);
    assert.deepEqual(textsOf('text', ['nothing', 'of', 'it']), []);
  });

  it('keep the alternatives, most probable first', () => {
    const [span] = tokenSpans('a', {
      tokens: ['a'],
      token_logprobs: [-0.1],
      top_logprobs: [{ Ġthe: -3, a: -0.1, b: -2 }],
    });
    assert.deepEqual(span?.alternatives, [
      { text: 'a', logprob: -0.1 },
      { text: 'b', logprob: -2 },
      { text: ' the', logprob: -3 },
    ]);
  });

  it('tile the text wherever it is cut, also with marked blanks', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', '你') }),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), fc.boolean(), (written, cuts, isMarked) => {
        const pieces = splitAt(written, cuts).filter((piece) => piece !== '');
        const tokens = isMarked ? pieces.map((piece) => piece.replaceAll(' ', 'Ġ').replaceAll('\n', 'Ċ')) : pieces;
        assert.deepEqual(textsOf(written, tokens), pieces);
      }),
    );
  });

  it('tile the text if they are its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (written) => {
        const bytes = [...new TextEncoder().encode(written)];
        const tokens = bytes.map((byte) => `<0x${byte.toString(16).padStart(2, '0')}>`);
        assert.equal(textsOf(written, tokens).join(''), written);
      }),
    );
  });

  it('never overlap or leave the text, whatever a service sends', () => {
    const odd = fc.oneof(fc.string(), fc.constantFrom('Ġ', 'bytes:\\xff', '<0xE4>', '', 'ab', ' ', '\n'));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r') }), fc.array(odd), (written, tokens) => {
        let last = 0;
        for (const { start, end } of tokenSpans(written, logprobsOf(tokens))) {
          assert.ok(last <= start && start < end && end <= written.length);
          last = end;
        }
      }),
    );
  });
});
