import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { RankingProblem } from '../../../core/ranking/checkRanking';
import type { Unranked } from '../../../core/ranking/rankInSlices';
import { scoreText } from '../../../core/ranking/scoreText';
import type { SplitProblem } from '../../../core/ranking/textSplit';
import { absoluteTimeText, numberText } from '../../../platform/displayText';
import { ownSteps, step } from '../../../platform/errors/errorActions';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { UserError } from '../../../platform/errors/userError';
import { goOnRanking } from '../../../protocol/rerankForm';
import type { RerankField, RerankNotice, SplitBy } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import { priceLine } from '../../../services/usage/costMessages';
import type { FieldIssue } from '../controller/readForm';
import { mostDocuments } from '../controller/documents';
import type { SendingPlan } from '../controller/documents';
import { numberFormat } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { foreign } from '../../../core/text/foreignText';

export type RerankMessages = ReturnType<typeof rerankMessages>;

/** The controller's messages in the display language of VS Code. */
export function rerankMessages() {
  return { ...sourceWords(), ...formWords(), ...rankingWords(), ...comparisonWords() };
}

const number = (value: number) => numberText(value, vscode.env.language);

function sourceWords() {
  return {
    splitName,
    place: (name: string, line: number | undefined) => (line === undefined ? name : `${name}:${line + 1}`),
    plan: ({ characters, tokens, requests }: SendingPlan) =>
      [
        l10n.t('{0} characters', number(characters)),
        l10n.t('about {0} tokens', number(tokens)),
        requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests)),
      ].join(' · '),
    price: priceLine,
    remark: (title: string): RerankNotice => ({ tone: 'info', title }),
    noDocuments: noDocumentsNotice,
    oneDocument: (): RerankNotice => ({
      tone: 'warning',
      title: l10n.t('There is only one document'),
      detail: l10n.t('It will come first, whatever its score. Split the text in another way to compare its parts.'),
    }),
    tooManyDocuments: (count: number): RerankNotice => ({
      tone: 'error',
      title: l10n.t('{0} documents are too many', number(count)),
      detail: l10n.t(
        'Too many documents. The limit is {0}. Split the text into larger documents, or exclude some.',
        number(mostDocuments),
      ),
    }),
    manyRequests: ({ documents, requests }: SendingPlan): RerankNotice => ({
      tone: 'warning',
      title: l10n.t('{0} documents are sent in {1} requests', number(documents), number(requests)),
      detail: l10n.t("You're asked to confirm before the first request. A search first reduces the cost."),
    }),
    longDocuments: (count: number, context: number | undefined): RerankNotice => ({
      tone: 'warning',
      title:
        count === 1 ? l10n.t('A document may be too long') : l10n.t('{0} documents may be too long', number(count)),
      detail:
        context === undefined
          ? l10n.t('Many rerankers are limited to about 8,000 tokens. Longer documents are truncated or rejected.')
          : l10n.t('This model is limited to {0} tokens. Longer documents are truncated or rejected.', number(context)),
    }),
    longDocument: (tokens: number) => l10n.t('About {0} tokens, might be truncated or rejected.', number(tokens)),
    changed: (detail: string, canReadAgain: boolean): RerankNotice => ({
      tone: 'warning',
      title: l10n.t('The text has changed since it was read'),
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
      return l10n.t('Complete Texts');
    case 'lines':
      return l10n.t('Lines');
    case 'paragraphs':
      return l10n.t('Paragraphs');
    case 'listItems':
      return l10n.t('List items');
    case 'jsonArray':
      return l10n.t('JSON array');
    case 'sections':
      return l10n.t('Markdown sections');
  }
}

function noDocumentsNotice(trouble: SplitProblem | undefined): RerankNotice {
  return { tone: 'error', ...noDocumentsText(trouble) };
}

function noDocumentsText(trouble: SplitProblem | undefined): { readonly title: string; readonly detail: string } {
  const otherSplit = l10n.t('Split the text in another way.');
  switch (trouble) {
    case 'binary':
      return {
        title: l10n.t("This isn't text"),
        detail: l10n.t('The content is binary. Choose a text.'),
      };
    case 'noListItems':
      return { title: l10n.t('There is no list in this text'), detail: otherSplit };
    case 'noSections':
      return { title: l10n.t('There are no headings in this text'), detail: otherSplit };
    case 'notJsonArray':
      return { title: l10n.t('This text is no JSON array'), detail: otherSplit };
    case 'brokenJson':
      return {
        title: l10n.t('The JSON of this text is broken'),
        detail: l10n.t('Fix the text, or split it another way.'),
      };
    case 'emptyJsonArray':
      return { title: l10n.t('The JSON array is empty'), detail: l10n.t('Choose a text with something in it.') };
    case 'blank':
    case undefined:
      return { title: l10n.t('There is no text'), detail: l10n.t('Choose a text that is not blank.') };
  }
}

function formWords() {
  return {
    notTaken: (field: RerankField): string =>
      field === 'instruction'
        ? l10n.t('Only Qwen3-Reranker models take an instruction.')
        : l10n.t('Only bge-reranker-v2-m3 and bce-reranker-base_v1 cut documents into chunks.'),
    issue: ({ field, issue }: FieldIssue): string =>
      issue ? parameterWords(issue) : l10n.t('{0} must be a whole number.', field),
    wrongField: (words: string) => new UserError(l10n.t('A value is wrong'), words),
    noQuery: () =>
      new UserError(l10n.t('There is no query'), l10n.t('Type what the best text should be about, then try again.')),
    noModel: () => new UserError(l10n.t('No model selected'), l10n.t('Choose a model that ranks, then try again.')),
    nothingToSend: () =>
      new UserError(
        l10n.t('There is no document to send'),
        l10n.t('Split the text another way, or include excluded documents.'),
      ),
    tooMany: (count: number) =>
      new UserError(
        l10n.t('{0} documents are too many', number(count)),
        l10n.t('Too many documents. The limit is {0}. Choose less text, or exclude some.', number(mostDocuments)),
      ),
    busy: () => new UserError(l10n.t('Reranking in progress'), l10n.t('Wait until that has ended, or stop it first.')),
    twoModels: () => new UserError(l10n.t('One model is nothing to compare'), l10n.t('Choose two models or more.')),
    noSource: () =>
      new UserError(l10n.t('No documents selected'), l10n.t('Choose a source first, such as a selection.')),
    noRanking: () => new UserError(l10n.t('No ranking yet'), l10n.t('Type a query and choose Rerank.')),
    notThere: () =>
      new UserError(l10n.t('This document no longer exists'), l10n.t('The text has been split another way since.')),
  };
}

function factNames() {
  return {
    tokens: l10n.t('Tokens'),
    cost: l10n.t('Cost'),
    time: l10n.t('Time'),
    requests: l10n.t('Requests'),
    answeredBy: l10n.t('Answered by'),
    id: l10n.t('Response ID'),
    ids: l10n.t('Response IDs'),
    requestId: l10n.t('Request ID'),
    requestIds: l10n.t('Request IDs'),
    traceId: l10n.t('Trace ID'),
    traceIds: l10n.t('Trace IDs'),
    at: l10n.t('Ranked'),
  };
}

function rankingWords() {
  return {
    cancelled: (): Error => new vscode.CancellationError(),
    stopped: (): WireError => ({
      kind: 'cancelled',
      title: l10n.t('The operation was canceled'),
      detail: '',
      actions: [],
    }),
    progress: (done: number, total: number) => l10n.t('{0} of {1} documents', number(done), number(total)),
    rankingFact: factNames(),
    furtherIds: (count: number) => l10n.t('{0} more', number(count)),
    answeredBy: (models: string) => l10n.t('answered by {0}', models),
    tokens: (input: number, output: number) =>
      output === 0 ? number(input) : l10n.t('{0} in, {1} out', number(input), number(output)),
    notCounted: l10n.t('Unknown'),
    seconds: (ms: number) =>
      ms < 1000 ? l10n.t('{0} ms', ms) : l10n.t('{0} s', numberText(Math.round(ms / 100) / 10, vscode.env.language)),
    number,
    time: (at: number) => absoluteTimeText(at, vscode.env.language),
    severalRequests: (requests: number): RerankNotice => ({
      tone: 'info',
      title: l10n.t('The documents went in {0} requests', number(requests)),
      detail: l10n.t(
        'Results of several requests are combined. Their scores are comparable because they come from the same model.',
      ),
    }),
    beyondTop: (count: number): RerankNotice => ({
      tone: 'info',
      title: l10n.t('Documents without a score: {0}', number(count)),
      detail: l10n.t('Only the requested number of results (top_n) was returned.'),
    }),
    unscored: (count: number, troubles: readonly RankingProblem[]): RerankNotice => ({
      tone: 'warning',
      title:
        count > 0
          ? l10n.t('Documents without a score: {0}', number(count))
          : l10n.t('The service made mistakes in its answer'),
      detail: troubles.length > 0 ? troubleWords(troubles) : l10n.t('The service left them out of its answer.'),
    }),
    unranked: unrankedNotice,
    unfinished: ({ title, detail, actions, kind }: WireError, unasked: number): RerankNotice => ({
      tone: kind === 'cancelled' ? 'warning' : 'error',
      title: l10n.t('Documents not ranked: {0} ({1})', number(unasked), title),
      detail: sentences(detail, l10n.t('The results so far are saved.')),
      actions: [{ id: goOnRanking, label: l10n.t('Rank the rest') }, ...ownSteps(actions)],
    }),
    notKept: (): RerankNotice => ({
      tone: 'warning',
      title: l10n.t("Couldn't save this ranking"),
      detail: l10n.t('The ranking is lost when you close this tab. Copy it, or check whether the disk is full.'),
    }),
    copied: (count: number) =>
      count === 1 ? l10n.t('1 document was copied.') : l10n.t('{0} documents were copied.', number(count)),
  };
}

function unrankedNotice(unranked: Unranked, model: string): RerankNotice {
  return {
    tone: 'warning',
    title: l10n.t("{0} or its server didn't rank the documents", foreign(model)),
    detail: sentences(
      unranked === 'sameScores'
        ? l10n.t('All documents have the same score, so their order has no meaning.')
        : l10n.t('The response contains no scores.'),
      l10n.t('Use another reranker, or check this one.'),
    ),
    actions: [step('checkModel', model)],
  };
}

/** Describes the errors in a response, with a count per kind. */
function troubleWords(troubles: readonly RankingProblem[]): string {
  const kinds: Readonly<Record<RankingProblem['kind'], (count: string) => string>> = {
    indexMissing: (count) => l10n.t('Results without a document: {0}.', count),
    indexUnknown: (count) => l10n.t("Results for documents that weren't sent: {0}.", count),
    indexRepeated: (count) => l10n.t('Duplicate results for a document: {0}.', count),
    scoreMissing: (count) => l10n.t('Results without a score: {0}.', count),
    scoreNotNumber: (count) => l10n.t("Scores that aren't numbers: {0}.", count),
  };
  const counts = new Map<RankingProblem['kind'], number>();
  for (const { kind } of troubles) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const said = [...counts].map(([kind, count]) => kinds[kind](number(count)));
  return sentences(
    l10n.t('Problems in the response:'),
    ...said,
    l10n.t('These results were ignored. The others are valid.'),
  );
}

/** A page has room for differences that matter little. */
const scoreDecimals = [0, 6] as const;
const measureDigits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };

function comparisonWords() {
  return {
    comparing: (model: string, done: number, total: number) =>
      l10n.t('{0}: {1} of {2} documents', foreign(model), number(done), number(total)),
    score: (value: number) => scoreText(value, vscode.env.language, scoreDecimals),
    measure: (value: number) => numberFormat(vscode.env.language, measureDigits).format(value),
    unrankedColumn: () => l10n.t("didn't rank"),
    unfinishedColumn: (title: string) => l10n.t('not all documents: {0}', title),
    cost: (amount: string) => l10n.t('Cost {0}', amount),
    columnTokens: (tokens: string) => l10n.t('{0} tokens', tokens),
  };
}
