import { l10n } from 'vscode';
import type { ChatStrings } from '../../protocol/chatStrings';
import { compareStrings } from './compare/compareStrings';
import { toolStrings } from './tools/toolStrings';

/** The chat page's strings in the editor's display language. `{0}` and `{1}` remain for the page to fill in. */
export function chatStrings(): ChatStrings {
  return {
    ...logStrings(),
    ...factStrings(),
    ...markdownStrings(),
    ...composerStrings(),
    ...stateStrings(),
    ...branchStrings(),
    ...listStrings(),
    ...foldingStrings(),
    ...codeStrings(),
    ...limitStrings(),
    ...attachmentStrings(),
    ...parameterStrings(),
    ...compareStrings(),
    ...toolStrings(),
  };
}

function logStrings() {
  return {
    conversation: l10n.t('Conversation'),
    you: l10n.t('You'),
    waiting: l10n.t('Waiting for the first token'),
    streaming: l10n.t('Answering'),
    thinking: l10n.t('Thinking'),
    thought: l10n.t('Thought'),
    toolUse: l10n.t('Wants to use the tool {0}'),
    otherBlock: l10n.t('Content of kind {0}'),
    copyAnswer: l10n.t('Copy answer'),
    copied: l10n.t('Copied'),
    saved: l10n.t('Saved'),
    askAgain: l10n.t('Ask again'),
    stopped: l10n.t('stopped'),
    interruptedTitle: l10n.t('This answer was cut off'),
    interruptedDetail: l10n.t('The editor closed while it was coming. What had come is kept.'),
    jumpToEnd: l10n.t('Jump to the end'),
    emptyAnswer: l10n.t('The answer is empty.'),
  };
}

function factStrings() {
  return {
    tokensIn: l10n.t('{0} in'),
    about: l10n.t('about {0}'),
    tokensOut: l10n.t('{0} out'),
    firstToken: l10n.t('first token {0}'),
    tokensPerSecond: l10n.t('{0} tok/s'),
    seconds: l10n.t('{0} s'),
    factsLabel: l10n.t('About this answer'),
    tokenLimitTitle: l10n.t('The answer reached its token limit'),
    tokenLimitDetail: l10n.t('The parameter max_tokens sets this limit.'),
    stopSequence: l10n.t('ended at the stop sequence “{0}”'),
    stopSomeSequence: l10n.t('ended at a stop sequence'),
    stopToolUse: l10n.t('ended with a tool call'),
    stopOther: l10n.t('ended with {0}'),
  };
}

function markdownStrings() {
  return {
    blockedImage: l10n.t('blocked image: {0}'),
    copy: l10n.t('Copy'),
    copyCode: l10n.t('Copy this code'),
    plainCode: l10n.t('Code'),
    textTable: l10n.t('Table'),
    spokenCode: l10n.t('Code, {0}, lines: {1}.'),
    spokenTable: l10n.t('Table, rows: {0}.'),
  };
}

function composerStrings() {
  return {
    askPlaceholder: l10n.t('Ask a question, add files with #'),
    question: l10n.t('Question'),
    send: l10n.t('Send'),
    sendHint: l10n.t('Send (Enter); Shift+Enter starts a new line'),
    stop: l10n.t('Stop'),
    stopHint: l10n.t('Stop the answer (Escape)'),
    model: l10n.t('Model: {0}'),
    chooseModel: l10n.t('Choose a model'),
    searchModels: l10n.t('Search models'),
    pinnedModels: l10n.t('Pinned'),
    otherModels: l10n.t('All models'),
    noModelMatches: l10n.t('No model matches.'),
    modelsLoading: l10n.t('Loading models'),
    modelsFailed: l10n.t('The models could not be loaded'),
    noModels: l10n.t('No chat models'),
    noModelsDetail: l10n.t('{0} lists no model that can chat.'),
    refreshModels: l10n.t('Refresh'),
    modelGone: l10n.t('no longer listed'),
    modelContext: l10n.t('{0} context'),
    modelTools: l10n.t('tools'),
    composerMore: l10n.t('More'),
    dismiss: l10n.t('Dismiss'),
  };
}

function stateStrings() {
  return {
    loading: l10n.t('Loading the conversation'),
    emptyTitle: l10n.t('Ask a model'),
    emptyDetail: l10n.t('Your question goes to {0} and to nobody else. The conversation stays on this machine.'),
    example1: l10n.t('Explain what a rate limit in tokens per minute means'),
    example2: l10n.t('Write a Python function that merges two sorted lists'),
    example3: l10n.t('Compare JSON Lines and CSV in a table'),
    examplesLabel: l10n.t('Examples to begin with'),
    signedOutTitle: l10n.t('Chat with hosted models'),
    signedOutDetail: l10n.t(
      'Sign in with the API key of your account, or try the demo service: it runs on this machine and needs no key.',
    ),
    signIn: l10n.t('Sign in'),
    tryDemo: l10n.t('Try the demo'),
    getStarted: l10n.t('Take the first steps'),
    signedOutNote: l10n.t('You are signed out. Sign in to go on with this conversation.'),
    noAnswerFromEditor: l10n.t('The conversation could not be loaded'),
    tryAgain: l10n.t('Try again'),
    spokenAnswering: l10n.t('{0} is answering.'),
    spokenDone: l10n.t('Answer complete.'),
    spokenStopped: l10n.t('Answer stopped.'),
    spokenFailed: l10n.t('No answer: {0}'),
  };
}

function foldingStrings() {
  return {
    fill: l10n.t('{0} of {1} messages'),
    fillTitle: l10n.t('The next request sends {0} of at most {1} messages.'),
    fillFolded: l10n.t('The earliest turns go along as one transcript.'),
    foldedOne: l10n.t('1 earlier turn folded into one message'),
    foldedMany: l10n.t('{0} earlier turns folded into one'),
    foldedDetail: l10n.t(
      'A request holds {0} messages at most, so these turns are sent as one, word for word. The conversation itself stays as it is.',
    ),
    foldedText: l10n.t('As it is sent'),
    foldedTextLoading: l10n.t('Loading'),
    notSentOne: l10n.t('The turn above is not sent any more'),
    notSentMany: l10n.t('The {0} turns above are not sent any more'),
    startFresh: l10n.t('Start fresh from here'),
    sendAgain: l10n.t('Send them again'),
  };
}

function attachmentStrings() {
  return {
    attach: l10n.t('Add to the question…'),
    attachHint: l10n.t('Add to the question… Or type # there, or drop files here (from the Explorer with Shift held).'),
    offers: l10n.t('What can go along with the question'),
    offersOpen: l10n.t('{0} to choose from with the arrow keys.'),
    dropHere: l10n.t('Drop to add to the question'),
    attachments: l10n.t('Goes along with the question'),
    attachmentSize: l10n.t('{0} chars'),
    attachmentTitle: l10n.t('{0}: {1} characters, about {2} tokens (±25 %). Click to read what is sent.'),
    detach: l10n.t('Remove {0}'),
    attached: l10n.t('{0} goes along with the question.'),
    detached: l10n.t('{0} removed.'),
  };
}

function codeStrings() {
  return {
    insertCode: l10n.t('Insert'),
    insertCodeHint: l10n.t('Insert at the cursor'),
    replaceCode: l10n.t('Replace…'),
    replaceCodeHint: l10n.t('Replace the selection…'),
    moreCode: l10n.t('More actions'),
    newFileWithCode: l10n.t('New file'),
    runCode: l10n.t('Run in terminal…'),
  };
}

function limitStrings() {
  return {
    goesOn: l10n.t('Goes on by itself in {0}'),
    stopWaiting: l10n.t('Stop waiting'),
    otherModel: l10n.t('Use another model'),
    showExchange: l10n.t('Show exchange'),
    spentLine: l10n.t('Tokens: {0}'),
    spentHere: l10n.t('{0} here'),
    spentToday: l10n.t('{0} today'),
    spentTodayOf: l10n.t('{0} of {1} today'),
    spentTitle: l10n.t('Tokens used, as the service counts them; “about” where it did not'),
    spentHereDetail: l10n.t('This conversation: {0} in, {1} out'),
    spentTodayDetail: l10n.t('Today, all chats with this profile: {0} in, {1} out'),
    budgetSoft: l10n.t('Warning from {0} a day'),
    budgetHard: l10n.t('Nothing more is sent from {0} a day'),
    budgetWarning: l10n.t('The token budget of today is nearly used up'),
    budgetWarningHard: l10n.t('With this profile {0} tokens were used today; from {1} on nothing more is sent.'),
    budgetWarningSoft: l10n.t('With this profile {0} tokens were used today; you wanted to be told from {1} on.'),
    changeBudget: l10n.t('Change the budget'),
  };
}

function branchStrings() {
  return {
    editQuestion: l10n.t('Edit question'),
    cancel: l10n.t('Cancel'),
    editHint: l10n.t('Sends it on a branch of its own; what is here is kept.'),
    place: l10n.t('{0}/{1}'),
    previousQuestion: l10n.t('Earlier version of this question'),
    nextQuestion: l10n.t('Later version of this question'),
    previousTry: l10n.t('Earlier answer'),
    nextTry: l10n.t('Later answer'),
    spokenQuestion: l10n.t('Question {0} of {1}.'),
    spokenTry: l10n.t('Answer {0} of {1}.'),
  };
}

function listStrings() {
  return {
    conversations: l10n.t('Conversations'),
    searchConversations: l10n.t('Search titles and texts'),
    closeConversations: l10n.t('Close (Escape)'),
    noConversations: l10n.t('No conversation yet. The first question begins one.'),
    noConversationMatches: l10n.t('No conversation has these words.'),
    untitled: l10n.t('Without a name'),
    answeringNow: l10n.t('answering'),
    unsavedNow: l10n.t('not saved'),
    inOtherWindow: l10n.t('open in another window'),
    moreConversations: l10n.t('Show more ({0} not shown)'),
    pinnedNow: l10n.t('pinned'),
    rename: l10n.t('Rename (F2)'),
    newName: l10n.t('Name of the conversation'),
    pin: l10n.t('Pin'),
    unpin: l10n.t('Unpin'),
    delete: l10n.t('Delete (Del)'),
    deleted: l10n.t('“{0}” was deleted. It can be had back for an hour.'),
    undo: l10n.t('Undo'),
    openInEditor: l10n.t('Open in editor tab'),
    shownInEditor: l10n.t('in an editor tab'),
    shownInSideBar: l10n.t('in the side bar'),
  };
}

function parameterStrings() {
  return {
    parameters: l10n.t('Parameters'),
    parametersSet: l10n.t('{0} set'),
    parametersWrong: l10n.t('A parameter has a value that is not sent.'),
    parametersTitle: l10n.t('Parameters of this conversation'),
    closeParameters: l10n.t('Close (Escape)'),
    notSet: l10n.t('not sent'),
    defaultValue: l10n.t('default: {0}'),
    defaultSent: l10n.t('default'),
    systemPrompt: l10n.t('System prompt'),
    startWith: l10n.t('Start each answer with…'),
    stopSequences: l10n.t('Stop sequences'),
    stopSequencesHint: l10n.t('An answer ends where one occurs. Write a line break as \\n, a tab as \\t.'),
    stopSequenceNumber: l10n.t('Stop sequence {0}'),
    addStopSequence: l10n.t('Add a stop sequence'),
    removeStopSequence: l10n.t('Remove {0}'),
    sendParameterAgain: l10n.t('Send it again'),
    continueAnswer: l10n.t('Continue'),
    prefilled: l10n.t('begins with your words'),
    refusalTitle: l10n.t('The model declined to answer'),
    refusalDetail: l10n.t('It gave no reason but this. Ask in other words, or ask another model.'),
  };
}
