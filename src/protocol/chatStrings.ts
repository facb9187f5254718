import type { CompareStrings } from './chatCompare';
import type { ChatToolStrings } from './chatToolStrings';

/** All strings of the chat page, localized by the host (`features/chat/chatStrings.ts`). The page fills in `{0}` and `{1}`. */
export interface ChatStrings extends CompareStrings, ChatToolStrings {
  // The log
  readonly conversation: string;
  readonly you: string;
  readonly waiting: string;
  readonly streaming: string;
  readonly thinking: string;
  readonly thought: string;
  readonly toolUse: string;
  readonly otherBlock: string;
  readonly copyAnswer: string;
  readonly copied: string;
  /** What could not be written to disk before has now been saved. */
  readonly saved: string;
  readonly askAgain: string;
  readonly stopped: string;
  readonly interruptedTitle: string;
  readonly interruptedDetail: string;
  readonly jumpToEnd: string;
  readonly emptyAnswer: string;

  // Facts under an answer
  readonly tokensIn: string;
  /** Precedes an estimated number. */
  readonly about: string;
  readonly tokensOut: string;
  readonly firstToken: string;
  readonly tokensPerSecond: string;
  readonly seconds: string;
  readonly factsLabel: string;
  readonly tokenLimitTitle: string;
  readonly tokenLimitDetail: string;
  readonly stopSequence: string;
  /** Used if the service does not say which. */
  readonly stopSomeSequence: string;
  readonly stopToolUse: string;
  readonly stopOther: string;

  // Markdown
  readonly blockedImage: string;
  readonly copy: string;
  readonly copyCode: string;
  readonly plainCode: string;
  readonly textTable: string;
  /** Spoken in place of a code block: language, number of lines. */
  readonly spokenCode: string;
  readonly spokenTable: string;

  // The composer
  readonly askPlaceholder: string;
  readonly question: string;
  readonly send: string;
  readonly sendHint: string;
  readonly stop: string;
  readonly stopHint: string;
  readonly model: string;
  readonly chooseModel: string;
  readonly searchModels: string;
  readonly pinnedModels: string;
  readonly otherModels: string;
  readonly noModelMatches: string;
  readonly modelsLoading: string;
  readonly modelsFailed: string;
  readonly noModels: string;
  readonly noModelsDetail: string;
  readonly refreshModels: string;
  readonly modelGone: string;
  /** `{0}`: tokens, short. */
  readonly modelContext: string;
  readonly modelTools: string;
  readonly composerMore: string;
  /** Dismisses a note. */
  readonly dismiss: string;

  // States of the page
  readonly loading: string;
  readonly emptyTitle: string;
  readonly emptyDetail: string;
  readonly example1: string;
  readonly example2: string;
  readonly example3: string;
  readonly examplesLabel: string;
  readonly signedOutTitle: string;
  readonly signedOutDetail: string;
  readonly signIn: string;
  readonly tryDemo: string;
  readonly getStarted: string;
  readonly signedOutNote: string;
  readonly noAnswerFromEditor: string;
  readonly tryAgain: string;

  // Limits, cost, the raw exchange
  readonly goesOn: string;
  readonly stopWaiting: string;
  readonly otherModel: string;
  readonly showExchange: string;
  readonly spentLine: string;
  readonly spentHere: string;
  readonly spentToday: string;
  readonly spentTodayOf: string;
  readonly spentTitle: string;
  readonly spentHereDetail: string;
  readonly spentTodayDetail: string;
  readonly budgetSoft: string;
  readonly budgetHard: string;
  readonly budgetWarning: string;
  readonly budgetWarningHard: string;
  readonly budgetWarningSoft: string;
  readonly changeBudget: string;

  // Screen reader only
  readonly spokenAnswering: string;
  readonly spokenDone: string;
  readonly spokenStopped: string;
  readonly spokenFailed: string;

  // What the next request sends
  /** Messages in the next request, maximum messages. */
  readonly fill: string;
  readonly fillTitle: string;
  readonly fillFolded: string;
  readonly foldedOne: string;
  /** Number of turns. */
  readonly foldedMany: string;
  /** Maximum messages. */
  readonly foldedDetail: string;
  readonly foldedText: string;
  readonly foldedTextLoading: string;
  readonly notSentOne: string;
  /** Number of turns. */
  readonly notSentMany: string;
  readonly startFresh: string;
  readonly sendAgain: string;
  // Code blocks
  readonly insertCode: string;
  readonly insertCodeHint: string;
  readonly replaceCode: string;
  readonly replaceCodeHint: string;
  readonly moreCode: string;
  readonly newFileWithCode: string;
  readonly runCode: string;

  // Branches
  readonly editQuestion: string;
  readonly cancel: string;
  readonly editHint: string;
  readonly place: string;
  readonly previousQuestion: string;
  readonly nextQuestion: string;
  readonly previousTry: string;
  readonly nextTry: string;
  readonly spokenQuestion: string;
  readonly spokenTry: string;

  // The list of conversations
  readonly conversations: string;
  readonly searchConversations: string;
  readonly closeConversations: string;
  readonly noConversations: string;
  readonly noConversationMatches: string;
  readonly untitled: string;
  readonly answeringNow: string;
  readonly unsavedNow: string;
  readonly inOtherWindow: string;
  readonly moreConversations: string;
  readonly pinnedNow: string;
  readonly rename: string;
  readonly newName: string;
  readonly pin: string;
  readonly unpin: string;
  readonly delete: string;
  readonly deleted: string;
  readonly undo: string;
  readonly openInEditor: string;
  readonly shownInEditor: string;
  readonly shownInSideBar: string;

  // Attachments
  readonly attach: string;
  readonly attachHint: string;
  /** Names the list that `#` opens. */
  readonly offers: string;
  readonly offersOpen: string;
  readonly dropHere: string;
  readonly attachments: string;
  /** Characters, estimated tokens. */
  readonly attachmentSize: string;
  /** Label, characters, estimated tokens. */
  readonly attachmentTitle: string;
  /** Label. */
  readonly detach: string;
  readonly attached: string;
  readonly detached: string;
  // Parameters
  readonly parameters: string;
  readonly parametersSet: string;
  readonly parametersWrong: string;
  readonly parametersTitle: string;
  readonly closeParameters: string;
  readonly notSet: string;
  readonly defaultValue: string;
  readonly defaultSent: string;
  readonly systemPrompt: string;
  readonly startWith: string;
  readonly stopSequences: string;
  readonly stopSequencesHint: string;
  readonly stopSequenceNumber: string;
  readonly addStopSequence: string;
  readonly removeStopSequence: string;
  readonly sendParameterAgain: string;

  // Answers that are prefilled, continued or empty
  readonly continueAnswer: string;
  readonly prefilled: string;
  readonly refusalTitle: string;
  readonly refusalDetail: string;
}
