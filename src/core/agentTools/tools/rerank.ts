import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { RankedList } from '../../ranking/rankInSlices';
import { abortable } from '../../async/abortable';
import { tokenCost } from '../../prices/prices';
import { estimateTokens } from '../../tokens/estimate';
import { moneyText } from '../../../protocol/formats';
import type { ToolHost } from '../toolHost';
import { AgentProblem, agentTool } from '../agentTool';
import { scoreText } from '../../ranking/scoreText';
import { cut, joinParts, oneLine, scoreDecimals } from '../answerText';
import { chosenModel } from '../chosenModel';
import { unrankedMessage } from '../errorMessages';

/** Longer texts are ranked by their beginning: rerankers read no more than a few thousand tokens per document. */
const longestDocument = 24_000;
/** Approximate limit for one call, because nobody is asked before it. */
const mostTokens = 200_000;
const shownChars = 300;

export const rerankTool = agentTool({
  name: 'inferenceDesk_rerank',
  title: 'Rerank',
  description:
    'Sorts texts by relevance to a query. Returns indexes and scores, best first. Use it to select from many texts instead of reading all of them. Provide either "documents" (texts) or "files" (paths). Uses the first 24,000 characters of each text, and up to about 200,000 tokens per call. Compare scores only within one response.',
  input: z.strictObject({
    query: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(10_000),
        z.describe('The question or topic that the texts are compared with.'),
      ),
    documents: z.optional(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(100_000)))
        .check(z.minLength(1), z.maxLength(1000), z.describe('The texts to rank.')),
    ),
    files: z.optional(
      z
        .array(z.string().check(z.minLength(1)))
        .check(z.minLength(1), z.maxLength(200), z.describe('Paths of text files to rank instead of documents.')),
    ),
    top: z.optional(
      z.int().check(z.minimum(1), z.maximum(1000), z.describe('Maximum number of results. Defaults to 20.')),
    ),
    instruction: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(2000),
          z.describe('Meaning of "relevant", for models that support instructions, such as Qwen3-Reranker.'),
        ),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe("ID of a reranker. Defaults to the account's default model.")),
    ),
  }),
  readOnly: true,
  costs: 'little',
  needs: ['POST /rerank'],
  async run({ query, documents, files, top = 20, instruction, model: named }, host, signal) {
    if ((documents === undefined) === (files === undefined)) {
      throw new AgentProblem('Provide either "documents" or "files", not both.');
    }
    const model = await chosenModel('rerank', named, host, signal);
    const texts =
      documents?.map((text) => ({ text: text.slice(0, longestDocument) })) ??
      (await fileTexts(files ?? [], host, signal));
    refuseTooMuch(texts, estimateTokens(`${query}\n${instruction ?? ''}`));
    const request = { model, query, documents: texts.map(({ text }) => text), ...(instruction && { instruction }) };
    const list = await host.rerank(request, signal);
    return toAnswer(list, texts, { model, top, cost: await costOf(list, model, host, signal) });
  },
});

/** The list of models is usually known already; a ranking that was paid for does not wait for it. */
const longestWaitMs = 2000;

/** Returns what a ranking cost by the listed price; `undefined` if that or the number of tokens is unknown. */
async function costOf(
  { tokens, calls }: RankedList,
  model: string,
  host: ToolHost,
  signal: AbortSignal,
): Promise<RankingCost | undefined> {
  if (tokens.input + tokens.output === 0) return undefined;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
  const known = await abortable(host.models(soon), soon).catch(() => undefined);
  const prices = known?.models.find(({ id }) => id === model)?.prices;
  const counts = { requests: calls, inputTokens: tokens.input, outputTokens: tokens.output };
  const amount = prices && tokenCost(prices, counts);
  return amount === undefined ? undefined : { amount, text: moneyText(amount, host.currency, 'en') };
}

interface RankingCost {
  readonly amount: number;
  readonly text: string;
}

interface RankedText {
  readonly text: string;
  readonly path?: string;
}

function refuseTooMuch(texts: readonly RankedText[], tokensEach: number): void {
  let tokens = 0;
  for (const { text } of texts) {
    tokens += tokensEach + estimateTokens(text);
    if (tokens > mostTokens)
      throw new AgentProblem('Not sent, because the texts exceed about 200,000 tokens. Provide less text.');
  }
}

async function fileTexts(
  files: readonly string[],
  host: ToolHost,
  signal: AbortSignal,
): Promise<readonly RankedText[]> {
  const texts = await host.readTexts(files, signal);
  return texts.map(({ path, text }) => ({ path, text: `${path}\n${text}`.slice(0, longestDocument) }));
}

function toAnswer(
  { scores, unscored, failure, tokens, unranked }: RankedList,
  texts: readonly RankedText[],
  { model, top, cost }: { readonly model: string; readonly top: number; readonly cost: RankingCost | undefined },
) {
  const best = scores.slice(0, top);
  const results = best.map(({ index, score }) => {
    const path = texts[index]?.path;
    return { index, score, ...(path !== undefined && { path }) };
  });
  const data = {
    model,
    results,
    unranked: unscored.length,
    tokens: tokens.input + tokens.output,
    ...(cost && { cost: cost.amount }),
  };
  if (unranked) {
    const same = unranked === 'sameScores' && best[0] ? ` (${scoreText(best[0].score, 'en', scoreDecimals)})` : '';
    return { text: unrankedMessage(unranked, model, same), data: { ...data, didNotRank: unranked }, isError: true };
  }
  const facts = [
    `${scores.length} of ${texts.length} ranked by ${model}${best.length < scores.length ? `, the best ${best.length} shown` : ''}.`,
    ...(failure ? [`The ranking is incomplete. ${unscored.length} texts have no score.`] : []),
    ...(cost ? [`Cost: ${cost.text} by the listed price.`] : []),
    texts.some(({ path }) => path !== undefined) ? 'Best first:' : 'Best first, with zero-based indexes:',
  ];
  const rows = results.map(({ index, score, path }) =>
    path === undefined
      ? `[${index}] ${scoreText(score, 'en', scoreDecimals)} ${oneLine(texts[index]?.text ?? '', shownChars)}`
      : `${scoreText(score, 'en', scoreDecimals)} ${path}`,
  );
  const text = joinParts(facts.join(' '), [cut(rows.join('\n'), 20_000)]);
  return { text, data };
}
