import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { RankedList } from '../../ranking/rankInSlices';
import { estimateTokens } from '../../tokens/estimate';
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
    'Orders texts by how well each answers a query, with a reranking model, and returns their numbers with scores from best to worst. Use it to pick the most relevant of many search results, log lines, snippets or files instead of reading all of them. Give either "documents" (the texts themselves) or "files" (paths of text files to be read). Of each text the first 24,000 characters are ranked, and about 200,000 tokens in one call: the query counts once for each text. Scores are only comparable within one answer.',
  input: z.strictObject({
    query: z.string().check(z.minLength(1), z.maxLength(10_000), z.describe('What the texts are to be relevant for.')),
    documents: z.optional(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(100_000)))
        .check(z.minLength(1), z.maxLength(1000), z.describe('The texts to order.')),
    ),
    files: z.optional(
      z
        .array(z.string().check(z.minLength(1)))
        .check(z.minLength(1), z.maxLength(200), z.describe('Paths of text files to order, instead of documents.')),
    ),
    top: z.optional(
      z.int().check(z.minimum(1), z.maximum(1000), z.describe('Return only so many of the best. 20 where absent.')),
    ),
    instruction: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(2000),
          z.describe('What "relevant" means here; only for models that take it, such as Qwen3-Reranker.'),
        ),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe('The id of a reranker. The default of the account where absent.')),
    ),
  }),
  readOnly: true,
  costs: 'little',
  needs: ['POST /rerank'],
  async run({ query, documents, files, top = 20, instruction, model: named }, host, signal) {
    if ((documents === undefined) === (files === undefined)) {
      throw new AgentProblem('Give either "documents" or "files", one of the two.');
    }
    const model = await chosenModel('rerank', named, host, signal);
    const texts =
      documents?.map((text) => ({ text: text.slice(0, longestDocument) })) ??
      (await fileTexts(files ?? [], host, signal));
    refuseTooMuch(texts, estimateTokens(`${query}\n${instruction ?? ''}`));
    const request = { model, query, documents: texts.map(({ text }) => text), ...(instruction && { instruction }) };
    const list = await host.rerank(request, signal);
    return toAnswer(list, texts, { model, top });
  },
});

interface RankedText {
  readonly text: string;
  readonly path?: string;
}

function refuseTooMuch(texts: readonly RankedText[], tokensEach: number): void {
  let tokens = 0;
  for (const { text } of texts) {
    tokens += tokensEach + estimateTokens(text);
    if (tokens > mostTokens)
      throw new AgentProblem(
        'That is more than about 200,000 tokens, so nothing was sent. Give fewer or shorter texts, or a shorter query.',
      );
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
  { model, top }: { readonly model: string; readonly top: number },
) {
  const best = scores.slice(0, top);
  const results = best.map(({ index, score }) => {
    const path = texts[index]?.path;
    return { index, score, ...(path !== undefined && { path }) };
  });
  const data = { model, results, unranked: unscored.length, tokens: tokens.input + tokens.output };
  if (unranked) {
    const same = unranked === 'sameScores' && best[0] ? ` (${scoreText(best[0].score, 'en', scoreDecimals)})` : '';
    return { text: unrankedMessage(unranked, model, same), data: { ...data, didNotRank: unranked }, isError: true };
  }
  const facts = [
    `${scores.length} of ${texts.length} ranked by ${model}${best.length < scores.length ? `, the best ${best.length} shown` : ''}.`,
    ...(failure ? [`The ranking broke off before it was whole; ${unscored.length} have no score.`] : []),
    texts.some(({ path }) => path !== undefined) ? 'Best first:' : 'Best first, numbered from 0 as given:',
  ];
  const rows = results.map(({ index, score, path }) =>
    path === undefined
      ? `[${index}] ${scoreText(score, 'en', scoreDecimals)} ${oneLine(texts[index]?.text ?? '', shownChars)}`
      : `${scoreText(score, 'en', scoreDecimals)} ${path}`,
  );
  const text = joinParts(facts.join(' '), [cut(rows.join('\n'), 20_000)]);
  return { text, data };
}
