import * as l10n from '@vscode/l10n';
import type { RankingProblem, Unranked } from '../../../core/ranking/rankInSlices';
import { scoreText } from '../../../core/ranking/scoreText';
import type { SplitProblem } from '../../../core/ranking/textSplit';
import { absoluteTimeText, numberText } from '../../../platform/displayText';
import { ownSteps, step } from '../../../platform/errors/errorActions';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { UserError } from '../../../platform/errors/userError';
import { goOnRanking } from '../../../protocol/rerankForm';
import type { RerankField, RerankNotice, SplitBy } from '../../../protocol/rerank';
import type { CostText, WireError } from '../../../protocol/wire';
import type { FieldIssue } from './readForm';
import { mostDocuments } from './documents';
import type { SendingPlan } from './documents';
import { numberFormat } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { foreign } from '../../../core/text/foreignText';

export type RerankMessages = ReturnType<typeof rerankMessages>;

/** The texts of a rerank page, with numbers and times as usual in the display language. */
export function rerankMessages(language: string) {
  return { ...sourceWords(language), ...formWords(language), ...rankingWords(language), ...comparisonWords(language) };
}

type FormatNumber = (value: number) => string;

const formatIn =
  (language: string): FormatNumber =>
  (value) =>
    numberText(value, language);

function sourceWords(language: string) {
  const number = formatIn(language);
  return {
    splitName,
    place: (name: string, line: number | undefined) => (line === undefined ? name : `${name}:${line + 1}`),
    plan: ({ characters, tokens, requests }: SendingPlan) =>
      [
        l10n.t('{0} characters', number(characters)),
        l10n.t('about {0} tokens', number(tokens)),
        requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests)),
      ].join(' · '),
    price: ({ text, hint }: CostText): CostText => ({ text: l10n.t('Price: {0}', text), hint }),
    remark: (title: string): RerankNotice => ({ tone: 'info', title }),
    noDocuments: noDocumentsNotice,
    oneDocument: (): RerankNotice => ({
      tone: 'warning',
      title: l10n.t("There's only one document"),
      detail: l10n.t('Split the text differently to compare parts.'),
    }),
    tooManyDocuments: (count: number): RerankNotice => ({
      tone: 'error',
      title: l10n.t('Too many documents: {0}', number(count)),
      detail: l10n.t('The limit is {0}. Use larger documents, or exclude some.', number(mostDocuments)),
    }),
    manyRequests: ({ documents, requests }: SendingPlan): RerankNotice => ({
      tone: 'warning',
      title: l10n.t('Ranking {0} documents takes {1} requests', number(documents), number(requests)),
      detail: l10n.t('To rank fewer documents, use a text search.'),
    }),
    longDocuments: (count: number, context: number | undefined): RerankNotice => ({
      tone: 'warning',
      title:
        count === 1 ? l10n.t('1 document might be too long') : l10n.t('{0} documents might be too long', number(count)),
      detail:
        context === undefined
          ? l10n.t('Many reranker models truncate or reject documents over about 8,000 tokens.')
          : l10n.t('Documents over {0} tokens are truncated or rejected.', number(context)),
    }),
    blankRow: () => l10n.t("The chosen columns are blank, so this row isn't sent."),
    longDocument: (tokens: number) =>
      l10n.t('The document has about {0} tokens and might be truncated or rejected.', number(tokens)),
    changed: (detail: string, canReadAgain: boolean): RerankNotice => ({
      tone: 'warning',
      title: l10n.t('The text has changed'),
      detail,
      actions: canReadAgain ? [{ id: readAgain, label: l10n.t('Reload') }] : [],
    }),
  };
}

/** Id of the notice action that reads the source again. */
export const readAgain = 'readAgain';

function splitName(by: SplitBy): string {
  switch (by) {
    case 'whole':
      return l10n.t('Full text');
    case 'lines':
      return l10n.t('Lines');
    case 'paragraphs':
      return l10n.t('Paragraphs');
    case 'sentences':
      return l10n.t('Sentences');
    case 'listItems':
      return l10n.t('List items');
    case 'jsonArray':
      return l10n.t('JSON array');
    case 'sections':
      return l10n.t('Markdown sections');
    case 'rows':
      return l10n.t('Table rows');
  }
}

function noDocumentsNotice(problem: SplitProblem | undefined): RerankNotice {
  return { tone: 'error', ...noDocumentsText(problem) };
}

function noDocumentsText(problem: SplitProblem | undefined): { readonly title: string; readonly detail: string } {
  const otherSplit = l10n.t('Split the text differently.');
  switch (problem) {
    case 'binary':
      return {
        title: l10n.t("Can't rank binary content"),
        detail: l10n.t('Choose a source that contains text.'),
      };
    case 'noListItems':
      return { title: l10n.t('No list found'), detail: otherSplit };
    case 'noSections':
      return { title: l10n.t('No headings found'), detail: otherSplit };
    case 'notTable':
      return { title: l10n.t('No table found'), detail: otherSplit };
    case 'notJsonArray':
      return { title: l10n.t("The text isn't a JSON array"), detail: otherSplit };
    case 'brokenJson':
      return {
        title: l10n.t('Invalid JSON'),
        detail: l10n.t('Fix the JSON, or split the text differently.'),
      };
    case 'emptyJsonArray':
      return { title: l10n.t('The JSON array is empty'), detail: l10n.t('Choose a source that contains text.') };
    case 'blank':
    case undefined:
      return { title: l10n.t('No text to rank'), detail: l10n.t('Choose a source that contains text.') };
  }
}

function formWords(language: string) {
  const number = formatIn(language);
  return {
    notTaken: (field: RerankField): string =>
      field === 'instruction'
        ? l10n.t('Only Qwen3-Reranker models support instructions.')
        : l10n.t('Only bge-reranker-v2-m3 and bce-reranker-base_v1 support splitting documents.'),
    issue: ({ field, issue }: FieldIssue): string =>
      issue ? parameterWords(issue, language) : l10n.t('{0} must be a whole number.', field),
    wrongField: (words: string) => new UserError(l10n.t('Invalid value'), words),
    noQuery: () => new UserError(l10n.t('No query'), l10n.t("Describe what you're looking for.")),
    noModel: () => new UserError(l10n.t('No model selected'), l10n.t('Select a reranker model.')),
    nothingToSend: () =>
      new UserError(
        l10n.t('No documents to rank'),
        l10n.t('Split the text differently, or include excluded documents.'),
      ),
    tooMany: (count: number) =>
      new UserError(
        l10n.t('Too many documents: {0}', number(count)),
        l10n.t('The limit is {0}. Use larger documents, or exclude some.', number(mostDocuments)),
      ),
    busy: () =>
      new UserError(l10n.t('A ranking is already in progress'), l10n.t('Wait for the current ranking, or stop it.')),
    twoModels: () => new UserError(l10n.t('Too few models to compare'), l10n.t('Select at least two models.')),
    noSource: () => new UserError(l10n.t('No source selected'), l10n.t('Select what to rank.')),
    noRanking: () => new UserError(l10n.t('No ranking yet'), l10n.t('Enter a query and select Rerank.')),
    notThere: () =>
      new UserError(l10n.t('This document no longer exists'), l10n.t('The text is now split differently.')),
  };
}

function factNames() {
  return {
    tokens: l10n.t('Tokens'),
    cost: l10n.t('Cost'),
    time: l10n.t('Time'),
    requests: l10n.t('Requests'),
    answeredBy: l10n.t('Responding model'),
    id: l10n.t('Response ID'),
    ids: l10n.t('Response IDs'),
    requestId: l10n.t('Request ID'),
    requestIds: l10n.t('Request IDs'),
    traceId: l10n.t('Trace ID'),
    traceIds: l10n.t('Trace IDs'),
    at: l10n.t('Ranked'),
  };
}

function rankingWords(language: string) {
  const number = formatIn(language);
  return {
    stopped: (): WireError => ({
      kind: 'cancelled',
      title: l10n.t('The operation was canceled'),
      detail: '',
      actions: [],
    }),
    progress: (done: number, total: number) => l10n.t('{0} of {1} documents', number(done), number(total)),
    rankingFact: factNames(),
    furtherIds: (count: number) => l10n.t('{0} more', number(count)),
    answeredBy: (models: string) => l10n.t('response from {0}', models),
    tokens: (input: number, output: number) =>
      output === 0 ? number(input) : l10n.t('{0} in, {1} out', number(input), number(output)),
    notCounted: l10n.t('Unknown'),
    seconds: (ms: number) =>
      ms < 1000 ? l10n.t('{0} ms', ms) : l10n.t('{0} s', numberText(Math.round(ms / 100) / 10, language)),
    number,
    time: (at: number) => absoluteTimeText(at, language),
    severalRequests: (requests: number): RerankNotice => ({
      tone: 'info',
      title: l10n.t('Ranked in {0} requests', number(requests)),
      detail: l10n.t('The same model scored all documents, so scores are comparable.'),
    }),
    beyondTop: (count: number): RerankNotice => ({
      tone: 'info',
      title: l10n.t('Documents without a score: {0}', number(count)),
      detail: l10n.t('Only top results (top_n) were requested.'),
    }),
    unscored: (count: number, problems: readonly RankingProblem[]): RerankNotice => ({
      tone: 'warning',
      title:
        count > 0 ? l10n.t('Documents without a score: {0}', number(count)) : l10n.t('The response contains errors'),
      detail:
        problems.length > 0
          ? problemsText(problems, number)
          : l10n.t('The response contains no scores for these documents.'),
    }),
    unranked: unrankedNotice,
    unfinished: ({ title, detail, actions, kind }: WireError, unasked: number): RerankNotice => ({
      tone: kind === 'cancelled' ? 'warning' : 'error',
      title: l10n.t('Documents not ranked: {0} ({1})', number(unasked), title),
      detail: sentences(detail, l10n.t('The documents ranked so far are shown.')),
      actions: [{ id: goOnRanking, label: l10n.t('Rank Remaining Documents') }, ...ownSteps(actions)],
    }),
    notSaved: (): RerankNotice => ({
      tone: 'warning',
      title: l10n.t("Couldn't save this ranking"),
      detail: l10n.t('If you close this tab, the ranking is lost. Copy the ranking first.'),
    }),
    copied: (count: number) =>
      count === 1 ? l10n.t('Copied 1 document.') : l10n.t('Copied {0} documents.', number(count)),
  };
}

function unrankedNotice(unranked: Unranked, model: string): RerankNotice {
  return {
    tone: 'warning',
    title: l10n.t("{0} didn't rank the documents", foreign(model)),
    detail: sentences(
      unranked === 'sameScores'
        ? l10n.t('All scores are the same, so the ranking is meaningless.')
        : l10n.t('The response contains no scores.'),
      l10n.t('Use another reranker, or check this one.'),
    ),
    actions: [step('checkModel', model)],
  };
}

/** Describes the errors in a response, with a count per kind. */
function problemsText(problems: readonly RankingProblem[], number: FormatNumber): string {
  const kinds: Readonly<Record<RankingProblem['kind'], (count: string) => string>> = {
    indexMissing: (count) => l10n.t('Results without a document: {0}.', count),
    indexUnknown: (count) => l10n.t("Results for documents that weren't sent: {0}.", count),
    indexRepeated: (count) => l10n.t('Duplicate results for a document: {0}.', count),
    scoreMissing: (count) => l10n.t('Results without a score: {0}.', count),
    scoreNotNumber: (count) => l10n.t("Scores that aren't numbers: {0}.", count),
  };
  const counts = new Map<RankingProblem['kind'], number>();
  for (const { kind } of problems) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const facts = [...counts].map(([kind, count]) => kinds[kind](number(count)));
  return sentences(...facts, l10n.t('These results are ignored.'));
}

/** A page has room for differences that matter little. */
const scoreDecimals = [0, 6] as const;
const measureDigits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };

function comparisonWords(language: string) {
  const number = formatIn(language);
  return {
    comparing: (model: string, done: number, total: number) =>
      l10n.t('{0}: {1} of {2} documents', foreign(model), number(done), number(total)),
    score: (value: number) => scoreText(value, language, scoreDecimals),
    measure: (value: number) => numberFormat(language, measureDigits).format(value),
    unrankedColumn: () => l10n.t("didn't rank"),
    unfinishedColumn: (title: string) => l10n.t('incomplete: {0}', title),
    cost: (amount: string) => l10n.t('Cost {0}', amount),
    columnTokens: (tokens: string) => l10n.t('{0} tokens', tokens),
  };
}
