/** The type of a command's handler; nothing at run time. */
const takes = <Handler>(): { readonly handler?: Handler } => ({});

/**
 * Every command of package.json and what it takes. A command of a tree's row gets the row, one of the palette gets nothing,
 * so what comes in is checked by the handler.
 */
const commandTable = {
  /** Resolves to whether a profile with a key is active now. */
  'inferenceDesk.signIn': takes<() => Promise<boolean>>(),
  'inferenceDesk.signOut': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.switchProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.renameProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.changeBaseUrl': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.removeProfile': takes<(profileId?: unknown) => Promise<void>>(),
  'inferenceDesk.manageKey': takes<(profileId?: unknown) => Promise<void>>(),
  /** Starts the demo service, makes its profile active, asks nothing. */
  'inferenceDesk.demo.start': takes<() => Promise<void>>(),
  'inferenceDesk.demo.stop': takes<() => Promise<void>>(),
  /** Shows the walkthrough. */
  'inferenceDesk.getStarted': takes<() => Promise<void>>(),
  'inferenceDesk.samples.open': takes<() => Promise<void>>(),
  /** Does what the button of a step of the walkthrough says: `ask`, `check`, `rerank` or `picture`. */
  'inferenceDesk.takeStep': takes<(name?: unknown) => Promise<void>>(),
  'inferenceDesk.showLog': takes<() => void>(),
  /** Without an id the person picks one of the last exchanges. */
  'inferenceDesk.showExchange': takes<(exchangeId?: unknown) => Promise<void>>(),
  /** Takes what `inferenceDesk.showExchange` takes, or the address of an exchange that is shown. */
  'inferenceDesk.copyExchangeAsCurl': takes<(exchange?: unknown) => Promise<void>>(),
  /** Shows a report to read and to complete; nothing is sent. */
  'inferenceDesk.reportProblem': takes<() => Promise<void>>(),
  'inferenceDesk.copyReport': takes<() => Promise<void>>(),
  'inferenceDesk.refreshAccount': takes<() => Promise<void>>(),
  /** What a click on the status bar item offers. */
  'inferenceDesk.showMenu': takes<() => Promise<void>>(),
  'inferenceDesk.copyValue': takes<(row?: unknown) => Promise<void>>(),
  /** These act on the tab whose title hands over its address, else on the place of the chat that was used last. */
  'inferenceDesk.chat.open': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.new': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.stop': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.export': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.addBatchLine': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.savePrompt': takes<(tab?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.conversations': takes<(tab?: unknown) => Promise<void>>(),
  /** The same for the title of the view, which hands nothing over. */
  'inferenceDesk.chatSideBar.new': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.stop': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.export': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.addBatchLine': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.savePrompt': takes<() => Promise<void>>(),
  'inferenceDesk.chatSideBar.conversations': takes<() => Promise<void>>(),
  'inferenceDesk.chat.openInEditor': takes<() => Promise<void>>(),
  'inferenceDesk.chat.moveToEditor': takes<() => Promise<void>>(),
  /** Of the tab that is the active editor. */
  'inferenceDesk.chat.moveToSideBar': takes<() => Promise<void>>(),
  /** Of the diff whose address the editor's title hands over, else of the active one. */
  'inferenceDesk.applyReplacement': takes<(proposal?: unknown) => Promise<void>>(),
  'inferenceDesk.discardReplacement': takes<(proposal?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attach': takes<() => Promise<void>>(),
  'inferenceDesk.chat.attachSelection': takes<() => Promise<void>>(),
  /** A menu hands over the file it was opened on, and all that are selected; without them it is the open file. */
  'inferenceDesk.chat.attachFile': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attachFolder': takes<(folder?: unknown, folders?: unknown) => Promise<void>>(),
  'inferenceDesk.chat.attachTerminal': takes<() => Promise<void>>(),
  /** Of the active editor's selection; without one the person is told so. */
  /** A text for `query` stands in the page's form; the editor's menu hands over something else. */
  'inferenceDesk.rerank.selection': takes<(query?: unknown) => Promise<void>>(),
  /** Asks what is ranked. A `MediaStart` names the model that ranks it. */
  'inferenceDesk.rerank.open': takes<(start?: unknown) => Promise<void>>(),
  /** A menu hands over the file it was opened on, and all that are selected; without them a person is asked. */
  'inferenceDesk.rerank.files': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  /** What was judged relevant or not in this workspace, as a file. */
  'inferenceDesk.rerank.openJudgements': takes<() => Promise<void>>(),
  /** Of the prompt file a menu or a lens hands over, else the one in the active editor; else a person chooses one. */
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
  'inferenceDesk.models.copyId': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.insertId': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.setDefault': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInChat': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInImages': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.useInVideos': takes<(row?: unknown) => Promise<void>>(),
  /** Opens the editor's Chat with the model of a row; without one with a model that is chosen already or now. */
  'inferenceDesk.models.useInEditorChat': takes<(row?: unknown) => Promise<void>>(),
  /** Which chat models the editor has. */
  'inferenceDesk.editorChat.manage': takes<() => Promise<void>>(),
  /** What models were seen to refuse. */
  'inferenceDesk.editorChat.forgetRefusals': takes<() => Promise<void>>(),
  'inferenceDesk.models.pin': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.models.unpin': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.files.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.files.showMore': takes<() => Promise<void>>(),
  /** A menu hands over the file it was opened on, and all that are selected; without them a person is asked. */
  'inferenceDesk.files.upload': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.files.openContent': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.files.saveContent': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.files.copyId': takes<(row?: unknown) => Promise<void>>(),
  /** Takes files of the Explorer and rows of the Files view; without any it is the open file, else the person chooses. */
  'inferenceDesk.batches.submit': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.batches.showMore': takes<() => Promise<void>>(),
  'inferenceDesk.batches.cancel': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.watch': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.checkNow': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.createAgain': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.fetchResults': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.linkInput': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.forget': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.showErrors': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.openInput': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyId': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyInput': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyOutput': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.copyErrors': takes<(row?: unknown) => Promise<void>>(),
  /**
   * Of a row of the view, the id of a job or the path of a run's folder; without one a person chooses. With an id, that request
   * is shown.
   */
  'inferenceDesk.batches.openResults': takes<(of?: unknown, customId?: unknown) => Promise<void>>(),
  /** Of the same. */
  'inferenceDesk.batches.retryFailed': takes<(of?: unknown) => Promise<void>>(),
  'inferenceDesk.batches.compare': takes<(of?: unknown, other?: unknown) => Promise<void>>(),
  /** Of the active editor; where it shows none, of all. */
  'inferenceDesk.rerank.clearScores': takes<() => Promise<void>>(),
  'inferenceDesk.complete.settings': takes<() => Promise<void>>(),
  /** Takes what `mediaStart` checks, or nothing. */
  'inferenceDesk.images.open': takes<(start?: unknown) => Promise<void>>(),
  'inferenceDesk.videos.open': takes<(start?: unknown) => Promise<void>>(),
  'inferenceDesk.gallery.open': takes<() => Promise<void>>(),
  /** These take a file that was made, or its recipe: of the Explorer, the path of a file, a row; else the open file. */
  'inferenceDesk.media.regenerate': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.vary': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.showRecipe': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.insert': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.open': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.openOutside': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.reveal': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.saveAs': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.media.copyPath': takes<(file?: unknown) => Promise<void>>(),
  /** Asks first. */
  'inferenceDesk.media.remove': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  /** Of a job's row of the view or its id. */
  'inferenceDesk.media.checkNow': takes<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.fetchAgain': takes<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.retry': takes<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  'inferenceDesk.media.forget': takes<(job?: unknown, jobs?: unknown) => Promise<void>>(),
  /** A menu hands over the file it was opened on; without it the person chooses one. */
  'inferenceDesk.voices.upload': takes<(file?: unknown) => Promise<void>>(),
  /** Of a row of the view, a URI, or what `mediaStart` checks about speech that was made; else the person chooses. */
  'inferenceDesk.voices.open': takes<(voice?: unknown) => Promise<void>>(),
  /** Asks first. */
  'inferenceDesk.voices.delete': takes<(voice?: unknown) => Promise<void>>(),
  /** A menu hands over the file it was opened on; without it the person chooses one. */
  'inferenceDesk.voices.transcribe': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.voices.refresh': takes<() => Promise<void>>(),
  'inferenceDesk.voices.copyUri': takes<(row?: unknown) => Promise<void>>(),
  'inferenceDesk.voices.insertUri': takes<(row?: unknown) => Promise<void>>(),
  /** Of the file in the active editor. */
  'inferenceDesk.batchFile.treatAsBatch': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.treatAsOther': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.showReport': takes<() => Promise<void>>(),
  /** Menus hand over the file they were opened on, and all that are selected; without them a person is asked. */
  'inferenceDesk.batchFile.new': takes<() => Promise<void>>(),
  /** Beside the file what `toRowsPrompt` checks; a menu hands over other files there. */
  'inferenceDesk.batchFile.newFromRows': takes<(file?: unknown, prompt?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.newFromFiles': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.newFromSelection': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.split': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.merge': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.check': takes<(file?: unknown, files?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.sample': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.shuffle': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.usePrompt': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.dropDuplicates': takes<(file?: unknown) => Promise<void>>(),
  /** Which run's answers the lines of a file show. */
  'inferenceDesk.batchFile.chooseAnswers': takes<(file?: unknown) => Promise<void>>(),
  /** Of the file and line (from 0) that a lens hands over, else of the line with the cursor. */
  'inferenceDesk.batchFile.editLine': takes<(uri?: unknown, line?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.makeIdsUnique': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.numberIds': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.setModel': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.removeMark': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.convertLines': takes<() => Promise<void>>(),
  /** A menu hands over its file; without one it is the file of the active tab, else the person chooses. */
  'inferenceDesk.batchFile.preview': takes<(file?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.tryLine': takes<(file?: unknown, line?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.tryAgain': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.stopTrying': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.goToTriedLine': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.takeTrialStep': takes<(id?: unknown) => Promise<void>>(),
  'inferenceDesk.batchFile.runLocally': takes<(file?: unknown) => Promise<void>>(),
  /** Of the folder of a run; without one the person chooses. */
  'inferenceDesk.batchFile.resumeLocal': takes<(folder?: unknown) => Promise<void>>(),
  /** Of the run that goes on in this window. */
  'inferenceDesk.batchFile.pauseLocal': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.continueLocal': takes<() => Promise<void>>(),
  'inferenceDesk.batchFile.stopLocal': takes<() => Promise<void>>(),
  /** How it goes, and what can be done with it. */
  'inferenceDesk.batchFile.showLocal': takes<() => Promise<void>>(),
  /** Asks for ghost text at the cursor; offers to turn it on where it is off. */
  'inferenceDesk.ghostText.trigger': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.toggle': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.snooze': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.resume': takes<() => Promise<void>>(),
  /** Of the document in the active editor. */
  'inferenceDesk.ghostText.toggleForLanguage': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.toggleForFile': takes<() => Promise<void>>(),
  'inferenceDesk.ghostText.chooseModel': takes<() => Promise<void>>(),
  /** What its entry in the language status offers. */
  'inferenceDesk.ghostText.menu': takes<() => Promise<void>>(),
  /** Run by the editor once ghost text was accepted. */
  'inferenceDesk.ghostText.accepted': takes<() => Promise<void>>(),
  /** Without a question the person is asked. Resolves when they chose a place or left. */
  'inferenceDesk.findByMeaning': takes<(question?: unknown) => Promise<void>>(),
  /** Who of the other extensions may use the account. */
  'inferenceDesk.manageExtensionAccess': takes<() => Promise<void>>(),
  /** For other extensions: shows nothing, and rejects with an error in words. */
  'inferenceDesk.findByMeaning.run': takes<(request?: unknown) => Promise<unknown>>(),
  /** Of the selections of the active editor, or of what stands before its cursors. */
  'inferenceDesk.complete.insert': takes<() => Promise<void>>(),
  'inferenceDesk.complete.replace': takes<() => Promise<void>>(),
  'inferenceDesk.complete.beside': takes<() => Promise<void>>(),
  'inferenceDesk.complete.stop': takes<() => Promise<void>>(),
  /** What was answered last, also before a reload. */
  'inferenceDesk.complete.alternatives': takes<() => Promise<void>>(),
  /** Of the result whose number a lens hands over, else of the one at the cursor. */
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

/** For the test that holds package.json and this file together. */
export const commandIds: readonly string[] = Object.keys(commandTable);
