/** A model to check at a confirmed cost. A class, so that no other extension can start a check that costs money. */
export class AgreedCheck {
  constructor(readonly modelId: string) {}
}

interface Declared<Handler> {
  /** Carries the type of the command's handler; never set. */
  readonly handler?: Handler;
  /** Whether a menu that calls the command must pass a row. */
  readonly needsRow?: true;
}

const takes = <Handler>(): Declared<Handler> => ({});

/** For commands that a row's menu offers, and the title of its view doesn't: without the row, the command could act on something else. */
const takesRow = <Handler>(): Declared<Handler> => ({ needsRow: true });

/**
 * Every command of package.json with its arguments. A command on a tree row gets the row, one in the title of a view the row with the
 * focus, or nothing, and one from the palette nothing. So the handler must check its arguments.
 */
const commandTable = {
  /** Resolves with whether a profile with a key is active now. */
  'inferenceDesk.signIn': takes<() => Promise<boolean>>(),
  'inferenceDesk.signOut': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.switchProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.renameProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.changeBaseUrl': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.removeProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.manageKey': takes<(profileId?: unknown) => Promise<void>>(),
  /** Asks for an account and what to do with it. */
  'inferenceDesk.manageAccounts': takes<() => Promise<void>>(),
  /** Starts the demo service and makes its profile active, without asking anything. */
  'inferenceDesk.demo.start': takes<() => Promise<void>>(),
  'inferenceDesk.demo.stop': takes<() => Promise<void>>(),
  /** Shows the walkthrough. */
  'inferenceDesk.getStarted': takes<() => Promise<void>>(),
  'inferenceDesk.samples.open': takes<() => Promise<void>>(),
  /** Runs the button of a walkthrough step: `ask`, `check`, `rerank` or `picture`. */
  'inferenceDesk.takeStep': takes<(name?: unknown) => Promise<void>>(),
  'inferenceDesk.showLog': takes<() => void>(),
  /** Without an id, the user picks one of the latest exchanges. */
  'inferenceDesk.showExchange': takes<(exchangeId?: unknown) => Promise<void>>(),
  /** Takes what `inferenceDesk.showExchange` takes, or the URI of an exchange that is shown. */
  'inferenceDesk.copyExchangeAsCurl': takes<(exchange?: unknown) => Promise<void>>(),
  /** Shows a report for the user to read and complete; nothing is sent. */
  'inferenceDesk.reportProblem': takes<() => Promise<void>>(),
  'inferenceDesk.copyReport': takes<() => Promise<void>>(),
  'inferenceDesk.refreshAccount': takes<() => Promise<void>>(),
  /** Opens the menu of the status bar item. */
  'inferenceDesk.showMenu': takes<() => Promise<void>>(),
  'inferenceDesk.copyValue': takesRow<(row?: unknown) => Promise<void>>(),
  /** These apply to the tab whose title menu passes its URI, else to the chat location used last. `{ model }` chooses it for the next
   * question. */
  'inferenceDesk.chat.open': takes<(tabOrChoice?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.new': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.stop': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.export': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.addBatchLine': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.savePrompt': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.conversations': takes<(tab?: unknown) => Promise<void>>(),
  /** The same for the title of the view, which passes nothing. */
  'inferenceDesk.chatSideBar.new': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.export': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.addBatchLine': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.savePrompt': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.conversations': takes<() => Promise<void>>(),
  'inferenceDesk.chat.openInEditor': takes<() => Promise<void>>(),
  'inferenceDesk.chat.moveToEditor': takes<() => Promise<void>>(),
  /** Applies to the tab that is the active editor. */
  'inferenceDesk.chat.moveToSideBar': takes<() => Promise<void>>(),
  /** Applies to the diff whose URI the editor's title menu passes, else to the active one. */
  'inferenceDesk.applyReplacement': takes<(proposal?: unknown) => Promise<void>>(),
  'inferenceDesk.discardReplacement': takes<(proposal?: unknown) => Promise<void>>(),
  /** Keep or undo the changes of answers: of the hunk with this ID in the document with this URI, of that document, or all. */
  'inferenceDesk.edits.keep': takes<(uri?: unknown, hunkId?: unknown) => Promise<void>>(),
  'inferenceDesk.edits.undo': takes<(uri?: unknown, hunkId?: unknown) => Promise<void>>(),
  /** Opens a diff of the document with its text before the changes, by default of the first. */
  'inferenceDesk.edits.compare': takes<(uri?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attach': takes<() => Promise<void>>(),
  'inferenceDesk.chat.attachSelection': takes<() => Promise<void>>(),
  /** Put the prompt of a task into the question box, with the selection or the open file. A quick fix passes the problem to fix. */
  'inferenceDesk.chat.explain': takes<() => Promise<void>>(),
  'inferenceDesk.chat.fix': takes<(problem?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.addTests': takes<() => Promise<void>>(),
  'inferenceDesk.chat.edit': takes<() => Promise<void>>(),
  /** A menu passes the file it was opened on and all selected files; without them, the open file is used. */
  'inferenceDesk.chat.attachFile': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attachFolder': takes<(folder?: unknown, folders?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attachTerminal': takes<() => Promise<void>>(),
  /**
   * Uses the active editor's selection; without one, the user is notified. A `query` text is filled into the page's form; the editor's menu
   * passes something else.
   */
  'inferenceDesk.rerank.selection': takes<(query?: unknown) => Promise<void>>(),
  /** Asks what to rank. A `MediaStart` names the model to use. */
  'inferenceDesk.rerank.open': takes<(start?: unknown) => Promise<void>>(),
  /** A menu passes the file it was opened on and all selected files; without them, the user is asked. */
  'inferenceDesk.rerank.files': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  /** Opens what was judged relevant or not in this workspace, as a file. */
  'inferenceDesk.rerank.openJudgements': takes<() => Promise<void>>(),
  /** Applies to the prompt file passed by a menu or code lens, else the one in the active editor; else the user chooses one. */
  'inferenceDesk.prompts.run': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.prompts.compare': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.prompts.addBatchLine': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.prompts.newFromRows': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.prompts.new': takes<() => Promise<void>>(),
  'inferenceDesk.models.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.models.filter': takes<() => Promise<void>>(),
  'inferenceDesk.models.clearFilter': takes<() => Promise<void>>(),
  'inferenceDesk.models.search': takes<() => Promise<void>>(),
  'inferenceDesk.models.markSeen': takes<() => Promise<void>>(),
  'inferenceDesk.models.copyId': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.insertId': takesRow<(row?: unknown) => Promise<void>>(),
  /** Takes an `AgreedCheck`, a row of the Models view, a model ID, or asks. */
  'inferenceDesk.models.check': takes<(model?: unknown) => Promise<void>>(),
  /** Takes a row of the Models view, an object with a `profileId` and a `modelId`, or asks. */
  'inferenceDesk.models.editCapabilities': takes<(model?: unknown) => Promise<void>>(),
  'inferenceDesk.models.setDefault': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInChat': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInImages': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInVideos': takesRow<(row?: unknown) => Promise<void>>(),
  /** Opens the editor's Chat with the model chosen earlier, or one chosen now. */
  'inferenceDesk.models.useInEditorChat': takes<() => Promise<void>>(),
  'inferenceDesk.models.useRowInEditorChat': takesRow<(row?: unknown) => Promise<void>>(),
  /** Opens the page with the models for VS Code's own Chat. */
  'inferenceDesk.editorChat.open': takes<() => Promise<void>>(),
  /** Shows which chat models the editor has. */
  'inferenceDesk.editorChat.manage': takes<() => Promise<void>>(),
  /** Forgets what models are known to reject. */
  'inferenceDesk.editorChat.forgetRefusals': takes<() => Promise<void>>(),
  'inferenceDesk.models.pin': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.unpin': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.files.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.files.showMore': takes<() => Promise<void>>(),
  /** A menu passes the file it was opened on and all selected files; without them, the user is asked. */
  'inferenceDesk.files.upload': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.files.openContent': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.files.saveContent': takesRow<(row?: unknown) => Promise<void>>(),
  /** Opens the page on which a batch of the file is reviewed and submitted. */
  'inferenceDesk.files.submit': takesRow<(row?: unknown, rows?: unknown) => Promise<void>>(),
  'inferenceDesk.files.copyId': takesRow<(row?: unknown) => Promise<void>>(),
  /** Takes files of the Explorer, or files of the service; without any, uses the open file, else the user chooses. */
  'inferenceDesk.batches.submit': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.batches.showMore': takes<() => Promise<void>>(),
  'inferenceDesk.batches.cancel': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.stopParts': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.watch': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.checkNow': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.createAgain': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.fetchResults': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.linkInput': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.cleanUp': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.forget': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.showErrors': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.openInput': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyId': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyInput': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyOutput': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyErrors': takesRow<(row?: unknown) => Promise<void>>(),
  /**
   * Takes a row of the view, the id of a job or the path of a run's folder; without one, the user chooses. With a custom_id, shows that
   * request.
   */
  'inferenceDesk.batches.openResults': takesRow<(of?: unknown, customId?: unknown) => Promise<void>>(),
  /** Takes the same. */
  'inferenceDesk.batches.retryFailed': takesRow<(of?: unknown) => Promise<void>>(),
  /** Accepts the same argument. `choice` is the filter of the results page. */
  'inferenceDesk.batches.runAgain': takesRow<(of?: unknown, choice?: unknown) => Promise<void>>(),
  /** Takes the same, and further ones; a menu passes the selected rows. */
  'inferenceDesk.batches.compare': takesRow<(of?: unknown, others?: unknown) => Promise<void>>(),
  /** Applies to the active editor; if it shows no scores, to all. */
  'inferenceDesk.rerank.clearScores': takes<() => Promise<void>>(),
  'inferenceDesk.complete.settings': takes<() => Promise<void>>(),
  /** Takes what `mediaStart` checks, or nothing. */
  'inferenceDesk.images.open': takes<(start?: unknown) => Promise<void>>(),
  /** Retries failed image jobs, by id, each in its run, without showing the page. Not in the palette. */
  'inferenceDesk.images.retry': takes<(ids?: unknown) => Promise<void>>(),
  'inferenceDesk.videos.open': takes<(start?: unknown) => Promise<void>>(),
  'inferenceDesk.activity.open': takes<() => Promise<void>>(),
  'inferenceDesk.gallery.open': takes<() => Promise<void>>(),
  /** These accept a generated file or its recipe: from the Explorer, as a path, or as a row, and default to the open file. */
  'inferenceDesk.media.regenerate': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.vary': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.useAsFirstFrame': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.edit': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.showRecipe': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.insert': takesRow<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.media.open': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.openOutside': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.reveal': takesRow<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.saveAs': takesRow<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.media.exportDetails': takesRow<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.media.copyPath': takesRow<(file?: unknown) => Promise<void>>(),
  /** Asks for confirmation. */
  'inferenceDesk.media.remove': takesRow<(file?: unknown, files?: unknown) => Promise<void>>(),
  /** These take a job's row in the view, or its id. */
  'inferenceDesk.media.checkNow': takesRow<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.fetchAgain': takesRow<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.retry': takesRow<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.forget': takesRow<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  /** A menu passes the file it was opened on; without it, the user chooses one. */
  'inferenceDesk.voices.upload': takes<(file?: unknown) => Promise<void>>(),
  /** Takes a row of the view, a URI, or what `mediaStart` checks about generated speech; else the user chooses. */
  'inferenceDesk.voices.open': takesRow<(voice?: unknown) => Promise<void>>(),
  /** Asks for confirmation. */
  'inferenceDesk.voices.delete': takesRow<(voice?: unknown) => Promise<void>>(),
  /** A menu passes the file it was opened on; without it, the user chooses one. */
  'inferenceDesk.voices.transcribe': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.voices.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.voices.copyUri': takesRow<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.voices.insertUri': takesRow<(row?: unknown) => Promise<void>>(),
  /** These apply to the file in the active editor. */
  'inferenceDesk.batchFile.treatAsBatch': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.treatAsOther': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.showReport': takes<() => Promise<void>>(),
  /** Menus pass the file they were opened on and all selected files; without them, the user is asked. */
  'inferenceDesk.batchFile.new': takes<() => Promise<void>>(),
  /** Takes what `toRowsPrompt` checks as second argument; a menu passes other files there. */
  'inferenceDesk.batchFile.newFromRows': takes<(file?: unknown, prompt?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.newFromFiles': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.newFromSelection': takes<() => Promise<void>>(),
  /** Asks how to change the batch file, and runs the command for it. */
  'inferenceDesk.batchFile.transform': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.split': takes<(file?: unknown, by?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.merge': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.check': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.convertFor': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.sample': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.shuffle': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.usePrompt': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.dropDuplicates': takes<(file?: unknown) => Promise<void>>(),
  /** Chooses which run's answers the lines of a file show. */
  'inferenceDesk.batchFile.chooseAnswers': takes<(file?: unknown) => Promise<void>>(),
  /** Applies to the file and line (from 0) that a code lens passes, else to the line with the cursor. */
  'inferenceDesk.batchFile.editLine': takes<(uri?: unknown, line?: unknown) => Promise<void>>(),
  /** A menu passes its file; without one, applies to the active editor. */
  'inferenceDesk.batchFile.readableLines': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.makeIdsUnique': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.numberIds': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.setModel': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.removeMark': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.convertLines': takes<() => Promise<void>>(),
  /** A menu passes its file; without one, uses the file of the active tab, else the user chooses. */
  'inferenceDesk.batchFile.preview': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.tryLine': takes<(file?: unknown, line?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.tryAgain': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.stopTrying': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.goToTriedLine': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.takeTrialStep': takes<(id?: unknown) => Promise<void>>(),
  /** On the eval file passed, or else on the one in the active editor. */
  'inferenceDesk.evals.smokeTest': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.evals.run': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.evals.results': takes<(file?: unknown) => Promise<void>>(),
  /** Of the batch file, table, or prompt file passed, or else of the one in the active editor. */
  'inferenceDesk.evals.create': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.runLocally': takes<(file?: unknown) => Promise<void>>(),
  /** Takes the folder of a run. Without one, continues this window's paused run, else the user chooses. */
  'inferenceDesk.batchFile.resumeLocal': takes<(folder?: unknown) => Promise<void>>(),
  /** These apply to the run in progress in this window. */
  'inferenceDesk.batchFile.pauseLocal': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.continueLocal': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.stopLocal': takes<() => Promise<void>>(),
  /** Shows its progress, and what can be done with it. */
  'inferenceDesk.batchFile.showLocal': takes<() => Promise<void>>(),
  /** Requests ghost text at the cursor; offers to turn it on if it is off. */
  'inferenceDesk.ghostText.trigger': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.toggle': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.snooze': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.resume': takes<() => Promise<void>>(),
  /** These apply to the document in the active editor. */
  'inferenceDesk.ghostText.toggleForLanguage': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.toggleForFile': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.chooseModel': takes<() => Promise<void>>(),
  /** Opens the menu of its language status item. */
  'inferenceDesk.ghostText.menu': takes<() => Promise<void>>(),
  /** Run by the editor after ghost text was accepted. */
  'inferenceDesk.ghostText.accepted': takes<() => Promise<void>>(),
  /** Without a question, the user is asked. Resolves when they have chosen a result or canceled. */
  'inferenceDesk.findByMeaning': takes<(question?: unknown) => Promise<void>>(),
  /** Manages which other extensions may use the account. */
  'inferenceDesk.manageExtensionAccess': takes<() => Promise<void>>(),
  /** For other extensions: shows no user interface, and rejects with a localized error. */
  'inferenceDesk.findByMeaning.run': takes<(request?: unknown) => Promise<unknown>>(),
  /** These apply to the selections of the active editor, or to the text before its cursors. */
  'inferenceDesk.complete.insert': takes<() => Promise<void>>(),
  'inferenceDesk.complete.replace': takes<() => Promise<void>>(),
  'inferenceDesk.complete.beside': takes<() => Promise<void>>(),
  'inferenceDesk.complete.stop': takes<() => Promise<void>>(),
  /** Shows the latest completions, even from before a reload. */
  'inferenceDesk.complete.alternatives': takes<() => Promise<void>>(),
  /** These apply to the result whose number a code lens passes, else to the one at the cursor. */
  'inferenceDesk.complete.goOn': takes<(result?: unknown) => Promise<void>>(),
  'inferenceDesk.complete.showFacts': takes<(result?: unknown) => Promise<void>>(),
  'inferenceDesk.complete.hideFacts': takes<(result?: unknown) => Promise<void>>(),
  'inferenceDesk.complete.showTokens': takes<() => Promise<void>>(),
  'inferenceDesk.complete.hideTokens': takes<() => Promise<void>>(),
  'inferenceDesk.complete.nextUnsure': takes<() => Promise<void>>(),
  'inferenceDesk.complete.previousUnsure': takes<() => Promise<void>>(),
};

export type CommandId = keyof typeof commandTable;
export type Commands = { readonly [Id in CommandId]: NonNullable<(typeof commandTable)[Id]['handler']> };

/** For the test that compares package.json with this file. */
export const commandIds: readonly string[] = Object.keys(commandTable);

/** Returns whether a menu that calls the command must pass a row. */
export function needsRow(id: CommandId): boolean {
  const declared: Declared<unknown> = commandTable[id];
  return declared.needsRow === true;
}
