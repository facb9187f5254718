import { l10n } from 'vscode';
import type { ChatToolStrings } from '../../../protocol/chatToolStrings';

/** The chat page's strings about tools, in the editor's display language. */
export function toolStrings(): ChatToolStrings {
  return { ...panelStrings(), ...formStrings(), ...callStrings(), ...waitStrings() };
}

function panelStrings() {
  return {
    tools: l10n.t('Tools'),
    toolsOffered: l10n.t('{0} offered'),
    toolsTitle: l10n.t('Tools of this conversation'),
    closeTools: l10n.t('Close (Escape)'),
    toolsDetail: l10n.t('The model may ask for the tools you choose. None runs before you allow it.'),
    toolsLoading: l10n.t('Loading the tools'),
    searchTools: l10n.t('Search tools'),
    noTools: l10n.t('The editor has no tools now. Extensions and MCP servers bring them; or write one yourself.'),
    noToolMatches: l10n.t('No tool has these words.'),
    toolsOfGroup: l10n.t('{0} of {1}'),
    showTools: l10n.t('Show tools'),
    toolsOfLimit: l10n.t('{0} of at most {1} chosen'),
    toolSchema: l10n.t('Input schema'),
    toolTakesNothing: l10n.t('It takes no input.'),
    toolAllowed: l10n.t('Runs without asking in this conversation.'),
    forbidTool: l10n.t('Ask again'),
    spokenForbidden: l10n.t('{0} asks again before it runs.'),
    editTool: l10n.t('Edit {0}'),
    newTool: l10n.t('New tool…'),
    toolChoice: l10n.t('Tool choice'),
    choiceUnset: l10n.t('Not sent (the model decides)'),
    choiceAuto: l10n.t('auto: the model decides'),
    choiceAny: l10n.t('any: it must use one'),
    choiceNone: l10n.t('none: it must not use any'),
    choiceTool: l10n.t('tool: it must use {0}'),
    choiceGone: l10n.t('a tool that is gone'),
    singleCall: l10n.t('At most one call at a time'),
  };
}

function formStrings() {
  return {
    newToolTitle: l10n.t('New tool'),
    editToolTitle: l10n.t('Tool {0}'),
    ownToolDetail: l10n.t('Nothing runs it: when the model asks for it, you type its result in.'),
    toolName: l10n.t('Name'),
    toolNameHint: l10n.t('Letters, digits, _ and -'),
    toolDescription: l10n.t('Description'),
    toolDescriptionHint: l10n.t('Tells the model what it does and when to use it.'),
    toolInputSchema: l10n.t('Input as a JSON schema'),
    toolSchemaHint: l10n.t('A schema of type “object”. Tab leaves the box.'),
    issueAt: l10n.t('Line {0}, column {1}: {2}'),
    saveTool: l10n.t('Save'),
    cancelTool: l10n.t('Cancel'),
    deleteTool: l10n.t('Delete this tool'),
    toolSaved: l10n.t('{0} is saved and offered in this conversation.'),
    toolDeleted: l10n.t('{0} is deleted.'),
    goToIssue: l10n.t('Go to it'),
  };
}

function callStrings() {
  return {
    callLabel: l10n.t('Tool call: {0}'),
    callPreparing: l10n.t('is being prepared'),
    callAsking: l10n.t('asks to run'),
    callAwaiting: l10n.t('waits for a result from you'),
    callRunning: l10n.t('runs'),
    callDone: l10n.t('has run'),
    callDoneByPerson: l10n.t('answered by you'),
    callFailed: l10n.t('gave an error'),
    callFailedByPerson: l10n.t('answered by you, as an error'),
    callDenied: l10n.t('denied'),
    callStopped: l10n.t('stopped'),
    callNotRun: l10n.t('not run'),
    callWithoutAsking: l10n.t('without asking'),
    callInput: l10n.t('Input'),
    callNoInput: l10n.t('No input'),
    callResult: l10n.t('Result'),
    callError: l10n.t('Error'),
    callReason: l10n.t('What the model is told'),
    callEmptyResult: l10n.t('The result is empty.'),
    allowOnce: l10n.t('Allow once'),
    allowAlways: l10n.t('Always allow here'),
    deny: l10n.t('Deny'),
    denyWith: l10n.t('Deny with these words'),
    answerByHand: l10n.t('Answer by hand instead'),
    resultBox: l10n.t('Result of {0}'),
    resultHint: l10n.t('What the model gets in place of a result'),
    sendResult: l10n.t('Send result'),
    sendError: l10n.t('Send as error'),
    stopTool: l10n.t('Stop'),
    callPickFirst: l10n.t('Continue with this answer to decide about the call.'),
  };
}

function waitStrings() {
  return {
    waitsAsking: l10n.t('The answer waits for you: {0} asks to run.'),
    waitsResult: l10n.t('The answer waits for you: {0} needs a result.'),
    waitsMany: l10n.t('The answer waits for you: {0} tool calls are undecided.'),
    waitsHint: l10n.t('You may also ask something else; what waits is then not run.'),
    goToCall: l10n.t('Go there'),
    spokenAsking: l10n.t('The tool {0} asks to run.'),
    spokenAwaiting: l10n.t('The tool {0} waits for a result from you.'),
    toolLimitTitle: l10n.t('Paused after {0} rounds of tools'),
    toolLimitDetail: l10n.t('They ran one after the other without asking you. Continue to send their results back.'),
  };
}
