import { l10n } from 'vscode';
import type { RerankStrings } from '../../protocol/rerankStrings';

/** The page's strings in the display language of VS Code. `{0}` is left as is: the page fills it in. */
export function rerankStrings(): RerankStrings {
  return {
    ...sourceStrings(),
    ...formStrings(),
    ...optionStrings(),
    ...documentStrings(),
    ...rankingStrings(),
    ...comparisonStrings(),
  };
}

function sourceStrings() {
  return {
    title: l10n.t('Rerank'),
    changeSource: l10n.t('Change source'),
    chooseSource: l10n.t('What is to be ranked?'),
    chooseSourceDetail: l10n.t('A model scores how well each text fits your query. Nothing is sent before you run it.'),
    readingSource: l10n.t('Reading the texts'),
    sourceSelection: l10n.t('Selection'),
    sourceSelectionHint: l10n.t('What is selected in the editor'),
    sourceFile: l10n.t('Active file'),
    sourceFileHint: l10n.t('The whole text of the editor'),
    sourceTabs: l10n.t('Open tabs'),
    sourceTabsHint: l10n.t('The files that are open'),
    sourceFiles: l10n.t('Files…'),
    sourceFilesHint: l10n.t('Files you choose'),
    sourceSearch: l10n.t('Text search…'),
    sourceSearchHint: l10n.t('Places in the workspace where a text is found'),
    sourceProblems: l10n.t('Problems'),
    sourceProblemsHint: l10n.t('Errors and warnings of the workspace'),
    sourceClipboard: l10n.t('Clipboard'),
    sourceClipboardHint: l10n.t('The text that was copied last'),
  };
}

function formStrings() {
  return {
    query: l10n.t('Query'),
    queryPlaceholder: l10n.t('What should the best text say?'),
    history: l10n.t('Earlier queries'),
    historyEmpty: l10n.t('No query was run yet.'),
    forgetQuery: l10n.t('Forget “{0}” (Delete)'),
    closePanel: l10n.t('Close'),
    model: l10n.t('Model'),
    modelPlaceholder: l10n.t('Choose or type a model'),
    showModels: l10n.t('Models that rank'),
    modelsLoading: l10n.t('Loading the models…'),
    noModels: l10n.t('No model of the list fits. The id is sent as it is typed.'),
    splitBy: l10n.t('Split into'),
    splitChoice: l10n.t('{0} ({1})'),
    options: l10n.t('Options'),
    optionsSet: l10n.t('{0} set'),
    optionsWrong: l10n.t('A value is not sent, because it is wrong.'),
    run: l10n.t('Rerank'),
    runHint: l10n.t('Rerank (Enter)'),
    stop: l10n.t('Stop'),
    stopHint: l10n.t('Stop (Escape)'),
    needsDocuments: l10n.t('There is no document to send.'),
    needsQuery: l10n.t('Type a query.'),
    needsModel: l10n.t('Choose a model.'),
    starting: l10n.t('Starting'),
  };
}

function optionStrings() {
  return {
    notSet: l10n.t('Not set'),
    topN: l10n.t('Results wanted (top_n)'),
    topNHint: l10n.t('Only so many of the best come back. Not set: all of them.'),
    maxChunks: l10n.t('Chunks per document (max_chunks_per_doc)'),
    maxChunksHint: l10n.t('A long document is cut into at most so many chunks; its best chunk counts.'),
    overlap: l10n.t('Overlap of chunks in tokens (overlap_tokens)'),
    overlapHint: l10n.t('0 to {0}: what one chunk repeats of the one before.'),
    instruction: l10n.t('Instruction (instruction)'),
    instructionHint: l10n.t('How the model is to judge, in a sentence.'),
    returnDocuments: l10n.t('Send the documents back (return_documents)'),
    returnDocumentsHint: l10n.t('The answer repeats the texts. The ranking looks the same without it.'),
  };
}

function documentStrings() {
  return {
    tabs: l10n.t('Documents, ranking, comparison'),
    tabDocuments: l10n.t('Documents'),
    tabRanking: l10n.t('Ranking'),
    tabComparison: l10n.t('Compare'),
    documentsTable: l10n.t('Documents as they are sent'),
    columnSent: l10n.t('Sent'),
    columnNumber: l10n.t('No.'),
    columnDocument: l10n.t('Document'),
    columnPlace: l10n.t('Place'),
    sendAll: l10n.t('Send all'),
    leftOut: l10n.t('Left out: {0}'),
    sendOne: l10n.t('Send document {0}'),
    noDocuments: l10n.t('There is no document in this source.'),
    noDocumentsDetail: l10n.t('Split it in another way, or choose another source.'),
    details: l10n.t('Whole document'),
    documentOf: l10n.t('Document {0}'),
    cut: l10n.t('The text is longer. It is sent whole, but not shown whole.'),
    goTo: l10n.t('Go to source (Enter)'),
    close: l10n.t('Close (Escape)'),
  };
}

function rankingStrings() {
  return {
    rankingTable: l10n.t('Documents by score'),
    columnRank: l10n.t('Rank'),
    columnScore: l10n.t('Score'),
    columnWas: l10n.t('Was'),
    columnJudgement: l10n.t('Judged'),
    noRanking: l10n.t('Nothing is ranked yet.'),
    noRankingDetail: l10n.t('Type a query and choose Rerank.'),
    rankedFor: l10n.t('Ranked for “{0}” with {1}'),
    staleTitle: l10n.t('This ranking is of before'),
    staleDetail: l10n.t(
      'The query, the model, the options or the documents have changed since. Rerank to bring it up to date.',
    ),
    relevant: l10n.t('Relevant (R)'),
    notRelevant: l10n.t('Not relevant (N)'),
    judgeGroup: l10n.t('Judge document {0}'),
    showScores: l10n.t('Scores in the editor'),
    showScoresHint: l10n.t('Show the scores beside the documents in their editor'),
    reorder: l10n.t('Reorder…'),
    reorderHint: l10n.t('Bring the text into the order of the ranking, after a look at the changes'),
    keepBest: l10n.t('Keep the best…'),
    keepBestHint: l10n.t('Take all other documents out of the text, after a look at the changes'),
    keepCount: l10n.t('How many are kept'),
    keepRun: l10n.t('Keep {0}'),
    copyAs: l10n.t('Copy as…'),
    copyCount: l10n.t('How many of the best'),
    copyAll: l10n.t('All'),
    copyList: l10n.t('List'),
    copyTable: l10n.t('Markdown table'),
    copyJson: l10n.t('JSON'),
    countWrong: l10n.t('A whole number from 1 to {0}.'),
    ranked: l10n.t('Ranked documents: {0}. Best: {1}'),
    stopped: l10n.t('Stopped.'),
  };
}

function comparisonStrings() {
  return {
    compareModels: l10n.t('Models to compare'),
    compareK: l10n.t('Best counted (k)'),
    compareRun: l10n.t('Compare {0} models'),
    compareNeedsModels: l10n.t('Choose two models or more.'),
    noCompareModels: l10n.t('No models are known. Type one above; it can be compared once it was used.'),
    noComparison: l10n.t('Nothing is compared yet.'),
    noComparisonDetail: l10n.t(
      'Each model ranks the same documents for the query above. Mark documents relevant or not, and see which model puts the relevant ones first.',
    ),
    comparisonTable: l10n.t('Documents by model'),
    comparedFor: l10n.t('Compared for “{0}”'),
    columnModel: l10n.t('Model'),
    columnNdcg: l10n.t('nDCG@{0}'),
    ndcgHint: l10n.t('How near the order is to the best one, from 0 to 1: relevant documents first.'),
    columnMrr: l10n.t('MRR'),
    mrrHint: l10n.t('One divided by the rank of the first relevant document.'),
    judgedCount: l10n.t('Judged documents: {0}.'),
    judgeHint: l10n.t(
      'Mark documents as relevant or not in the list below: select one and press R or N. Then nDCG and MRR are computed.',
    ),
    scoresApart: l10n.t('Scores are comparable only within one model; ranks can be compared across models.'),
    notRanked: l10n.t('Not ranked'),
    compared: l10n.t('Compared models: {0}'),
  };
}
