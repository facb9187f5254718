import { deepEqual, equal, ok } from 'node:assert/strict';
import { evalFacts, priceToSend } from '../../../../src/core/evals/evalFacts';
import { measureOf, readMeasure } from '../../../../src/core/evals/graders/measures';
import { cellsOf } from '../../../../src/core/evals/evalPlan';
import type { EvalCell } from '../../../../src/core/evals/evalPlan';
import { planOfText } from '../../../support/evalRuns';

async function cellOf(assertion: string, vars = '{ q: Why?, want: blue }'): Promise<EvalCell> {
  const [cell] = cellsOf(
    await planOfText(
      `prompts: ['Say {{q}}']\nproviders: ['openai:m']\ntests: [{ vars: ${vars}, assert: [${assertion}] }]`,
    ),
  );
  return cell!;
}

const bodyOf = async (assertion: string, text = 'It is blue', vars?: string) => {
  const cell = await cellOf(assertion, vars);
  return measureOf(cell.row.assertions[0]!, cell, { text, embeddings: 'e5' });
};
const gradeOf = async (assertion: string, answer: object | string) => {
  const { row } = await cellOf(assertion);
  return readMeasure(row.assertions[0]!, typeof answer === 'string' ? answer : JSON.stringify(answer));
};

describe('measures of responses', () => {
  it('request embeddings for the response and each expected text, filled in', async () => {
    deepEqual(await bodyOf(`{ type: similar, value: '{{want}} sky' }`), {
      body: { model: 'e5', input: ['It is blue', 'blue sky'] },
    });
    deepEqual(await bodyOf(`{ type: 'similar:dot', value: [a, '', 7] }`), {
      body: { model: 'e5', input: ['It is blue', 'a', '7'] },
    });
    deepEqual(await bodyOf(`{ type: similar, value: a, metadata: { desk: { embeddings: own } } }`), {
      body: { model: 'own', input: ['It is blue', 'a'] },
    });
  });

  it('send a reranker the question: the value, a variable, or the prompt', async () => {
    const ranked = (more = '') => `{ type: answer-relevance${more}, metadata: { desk: { reranker: r } } }`;
    const documents = ['It is blue'];
    deepEqual(await bodyOf(ranked()), { body: { model: 'r', query: 'Say Why?', documents } });
    deepEqual(await bodyOf(ranked(), undefined, '{ q: x, question: Which? }'), {
      body: { model: 'r', query: 'Which?', documents },
    });
    deepEqual(await bodyOf(ranked(`, value: 'On {{want}}'`)), { body: { model: 'r', query: 'On blue', documents } });
  });

  it('require no request for an empty response, and none without an expected text', async () => {
    deepEqual(await bodyOf('{ type: similar, value: a }', '  \n'), { grade: { value: 0, pass: false } });
    deepEqual(await bodyOf('{ type: not-similar, value: a }', ''), { grade: { value: 1, pass: true } });
    deepEqual(await bodyOf('{ type: similar }'), { grade: { missing: 'badExpectation' } });
    deepEqual(await bodyOf('{ type: similar, value: [] }'), { grade: { missing: 'badExpectation' } });
  });

  it('pass from the threshold on, by the best of several texts', async () => {
    const all = { cosine: [0.2, 0.8], dot: [3, 1], euclidean: [0.5, 2] };
    deepEqual(await gradeOf('{ type: similar, value: a }', all), { value: 0.8, pass: true });
    deepEqual(await gradeOf('{ type: similar, value: a, threshold: 0.81 }', all), { value: 0.8, pass: false });
    deepEqual(await gradeOf('{ type: not-similar, value: a, threshold: 0.9 }', all), {
      value: 1 - 0.8,
      pass: true,
    });
    deepEqual(await gradeOf(`{ type: 'similar:dot', value: a, threshold: 2 }`, all), { value: 1, pass: true });
    deepEqual(await gradeOf(`{ type: 'similar:euclidean', value: a, threshold: 0.4 }`, all), {
      value: 1 / 1.5,
      pass: false,
    });
    const ranked = '{ type: answer-relevance, metadata: { desk: { reranker: r } } }';
    deepEqual(await gradeOf(ranked, { relevance: 0.5 }), { value: 0.5, pass: true });
    deepEqual(await gradeOf(ranked, { relevance: -4 }), { value: 0, pass: false });
  });

  it('are missing, not failed, without numbers', async () => {
    for (const answer of ['', 'prose', '[]', '{}', '{"cosine":[]}', '{"cosine":[null]}', '{"cosine":[0.9,null]}'])
      deepEqual(await gradeOf('{ type: similar, value: a }', answer), { missing: 'unreadableVerdict' }, answer);
    const ranked = '{ type: answer-relevance, metadata: { desk: { reranker: r } } }';
    deepEqual(await gradeOf(ranked, '{"relevance":null}'), { missing: 'unreadableVerdict' });
  });

  it('have an input-only price, without the batch discount', async () => {
    const plan = await planOfText(
      `prompts: [a, b]\nproviders: ['openai:m']\ntests: [{ vars: { q: x }, assert: [{ type: similar, value: y }] }]`,
    );
    const pricesOf = (model: string) => (model === 'e5' ? { input: 1 } : { input: 1, output: 1 });
    const prices = { pricesOf, batchDiscount: 0.5 };
    equal(evalFacts(plan, prices).grades, undefined);
    const { grades } = evalFacts(plan, prices, { embeddings: 'e5' });
    equal(grades!.now, grades!.batch);
    const request = { id: 'm1.x', key: 'k', body: { model: 'e5', input: ['word', 'word'] } };
    equal(priceToSend([request], 'batch', prices), priceToSend([request], 'now', prices));
    equal(priceToSend([request], 'now', prices), 2);
  });

  it('are priced by the filled texts that are sent', async () => {
    const prices = { pricesOf: () => ({ input: 1, output: 1 }), batchDiscount: 1 };
    const long = 'word '.repeat(2000);
    const priceOf = async (assertion: string, vars: string) => {
      const { grades } = evalFacts(
        await planOfText(
          `prompts: ['Say {{q}}']\nproviders: ['openai:m']\ntests: [{ vars: ${vars}, assert: [${assertion}] }]`,
        ),
        prices,
        { embeddings: 'e5' },
      );
      return grades?.now ?? 0;
    };
    const assertions = [
      `{ type: similar, value: '{{q}}' }`,
      '{ type: answer-relevance, metadata: { desk: { reranker: r } } }',
    ];
    for (const assertion of assertions) {
      const [short, more] = [await priceOf(assertion, '{ q: Why? }'), await priceOf(assertion, `{ q: '${long}' }`)];
      ok(short > 0 && more - short > 1500, `${short} ${more}`);
    }
  });
});
