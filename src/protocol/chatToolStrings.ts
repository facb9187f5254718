/** The strings about tools on the chat page. The page fills in `{0}` and `{1}`. */
export interface ChatToolStrings {
  // The panel
  readonly tools: string;
  /** Number of tools offered. */
  readonly toolsOffered: string;
  readonly toolsTitle: string;
  readonly closeTools: string;
  readonly toolsDetail: string;
  readonly toolsLoading: string;
  readonly searchTools: string;
  readonly noTools: string;
  readonly noToolMatches: string;
  /** Number of tools offered in a group. */
  readonly toolsOfGroup: string;
  /** Expands a collapsed group. */
  readonly showTools: string;
  readonly toolsOfLimit: string;
  readonly toolSchema: string;
  readonly toolTakesNothing: string;
  readonly toolAllowed: string;
  readonly forbidTool: string;
  readonly spokenForbidden: string;
  readonly editTool: string;
  readonly newTool: string;
  readonly toolChoice: string;
  readonly choiceUnset: string;
  readonly choiceAuto: string;
  readonly choiceAny: string;
  readonly choiceNone: string;
  readonly choiceTool: string;
  readonly choiceGone: string;
  readonly singleCall: string;

  // Writing a tool
  readonly newToolTitle: string;
  readonly editToolTitle: string;
  readonly ownToolDetail: string;
  readonly toolName: string;
  readonly toolNameHint: string;
  readonly toolDescription: string;
  readonly toolDescriptionHint: string;
  readonly toolInputSchema: string;
  readonly toolSchemaHint: string;
  /** Line, column, message. */
  readonly issueAt: string;
  readonly saveTool: string;
  readonly cancelTool: string;
  readonly deleteTool: string;
  readonly toolSaved: string;
  readonly toolDeleted: string;
  readonly goToIssue: string;

  // A call
  readonly callLabel: string;
  readonly callPreparing: string;
  readonly callAsking: string;
  readonly callAwaiting: string;
  readonly callRunning: string;
  readonly callDone: string;
  readonly callDoneByPerson: string;
  readonly callFailed: string;
  readonly callFailedByPerson: string;
  readonly callDenied: string;
  readonly callStopped: string;
  readonly callNotRun: string;
  readonly callWithoutAsking: string;
  readonly callInput: string;
  readonly callNoInput: string;
  readonly callResult: string;
  readonly callError: string;
  readonly callReason: string;
  readonly callEmptyResult: string;
  readonly allowOnce: string;
  readonly allowAlways: string;
  readonly deny: string;
  readonly denyWith: string;
  readonly answerByHand: string;
  readonly resultBox: string;
  readonly resultHint: string;
  readonly sendResult: string;
  readonly sendError: string;
  readonly stopTool: string;
  readonly callPickFirst: string;

  // Waiting for the user
  readonly waitsAsking: string;
  readonly waitsResult: string;
  readonly waitsMany: string;
  readonly waitsHint: string;
  readonly goToCall: string;
  readonly spokenAsking: string;
  readonly spokenAwaiting: string;

  // The maximum number of rounds
  readonly toolLimitTitle: string;
  readonly toolLimitDetail: string;
}
