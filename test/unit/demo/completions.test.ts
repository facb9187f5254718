import assert from 'node:assert/strict';
import { eventsOf, firstModel, withDemo } from './demoService';

const prompt = 'The old lighthouse stood';
const choicesOf = (body: unknown) =>
  (
    body as {
      choices: {
        index: number;
        text: string;
        finish_reason: string;
        logprobs: { tokens: string[]; token_logprobs: number[] };
      }[];
    }
  ).choices;

describe('demo service: completions', () => {
  it('returns the same text for the same prompt and seed, and another for another seed', () =>
    withDemo(async (demo) => {
      const text = async (seed: number) =>
        choicesOf((await demo.post('/completions', { model: firstModel, prompt, seed })).body)[0]?.text;
      assert.equal(await text(7), await text(7));
      assert.notEqual(await text(7), await text(8));
    }));

  it('returns n different choices, each with its tokens and their probabilities', () =>
    withDemo(async (demo) => {
      const { body } = await demo.post('/completions', { model: firstModel, prompt, n: 3, max_tokens: 12 });
      const choices = choicesOf(body);
      assert.equal(new Set(choices.map((choice) => choice.text)).size, 3);
      for (const { text, finish_reason: finish, logprobs } of choices) {
        assert.equal(finish, 'length');
        assert.equal(logprobs.tokens.join(''), text);
        assert.ok(logprobs.token_logprobs.length === 12 && logprobs.token_logprobs.every((value) => value <= 0));
      }
      assert.equal(body['object'], 'text_completion');
      assert.equal(body['prompt']?.['0']?.['text'], prompt);
      assert.equal(body['usage']?.['completion_tokens'], 36);
    }));

  it('streams the choices interleaved, ends each with its reason, and the stream with [DONE]', () =>
    withDemo(async (demo) => {
      const body = {
        model: firstModel,
        prompt,
        n: 2,
        max_tokens: 20,
        stream: true,
        stream_options: { include_usage: true },
      };
      const events = eventsOf((await demo.post('/completions', body)).text);
      const whole = choicesOf(
        (await demo.post('/completions', { model: firstModel, prompt, n: 2, max_tokens: 20 })).body,
      );
      const streamed = events
        .filter((item) => Array.isArray(item.data['choices']))
        .flatMap((item) => choicesOf(item.data));
      for (const choice of whole) {
        assert.equal(
          streamed
            .filter((piece) => piece.index === choice.index)
            .map((piece) => piece.text)
            .join(''),
          choice.text,
        );
      }
      assert.deepEqual(
        streamed.slice(0, 4).map((piece) => piece.index),
        [0, 1, 0, 1],
      );
      assert.equal(events.at(-1)?.data, '[DONE]');
      assert.equal(events.at(-2)?.data['usage']?.['completion_tokens'], 40);
    }));

  it('fills in between prompt and suffix if the model supports it, and rejects it otherwise', () =>
    withDemo(async (demo) => {
      const middle = { prompt: 'function keep(items) {\n', suffix: '\n}' };
      const filled = await demo.post('/completions', { model: 'Qwen/Qwen2.5-Coder-32B-Instruct', ...middle });
      assert.match(choicesOf(filled.body)[0]?.text ?? '', /items[\s\S]*return/);
      const refused = await demo.post('/completions', { model: firstModel, ...middle });
      assert.deepEqual([refused.status, refused.body['error']?.['param']], [400, 'suffix']);
    }));

  it('continues code as code, a list as a list, and stops at a stop sequence', () =>
    withDemo(async (demo) => {
      const text = async (sent: string, more: object = {}) =>
        choicesOf((await demo.post('/completions', { model: firstModel, prompt: sent, ...more })).body)[0]?.text ?? '';
      assert.match(await text('def total(values):\n'), /^ {4}\w+ = .*\n {4}return/);
      assert.match(await text('function median(prices) {\n'), /^ {2}const sorted = prices\.toSorted.*\n.*\n {2}return/);
      const python =
        'def total(items):\n    """All."""\n    return sum(items)\n\n\ndef mean(prices: list[float]) -> float:\n    """What they are on average."""\n    ';
      assert.match(await text(python), /^if not prices:\n {8}return 0\.0\n {4}return/);
      assert.match(await text('1. bread\n2. milk'), /^\n3\. /);
      assert.ok(!(await text(prompt, { stop: ['.'] })).includes('.'));
    }));

  it("rejects in the provider's format, naming the parameter", () =>
    withDemo(async (demo) => {
      for (const [parameter, value] of Object.entries({
        n: 129,
        temperature: 1.1,
        presence_penalty: -2.1,
        frequency_penalty: 3,
        top_p: 1.5,
        logit_bias: { word: 1 },
        echo: true,
        max_tokens: 0,
      })) {
        const { status, body } = await demo.post('/completions', { model: firstModel, prompt, [parameter]: value });
        assert.deepEqual(
          [status, body['error']?.['param'], body['error']?.['type']],
          [400, parameter, 'invalid_request_error'],
        );
      }
      const unknown = await demo.post('/completions', { model: 'nobody/nothing', prompt });
      assert.equal(unknown.body['error']?.['message'], 'Model does not exist. Please check it carefully.');
    }));
});
