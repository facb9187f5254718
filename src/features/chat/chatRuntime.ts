import { join } from 'node:path';
import type * as vscode from 'vscode';
import { env } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { type Once, onceDisposable } from '../../platform/once';
import { createVirtualDocuments, type VirtualDocuments } from '../../platform/virtualDocuments';
import { createLastEditor, type LastEditor } from '../../platform/workspace/lastEditor';
import type { ChatRequest } from '../../services/chat/chatService';
import type { Services } from '../../services/services';
import { ChatEngine } from './logic/chatEngine';
import { createCodeActions, type CodeActions } from './code/codeActions';
import { ShellPrompts } from './code/terminal';
import type { CodeEdits } from './edits/codeEdits';
import { ChatLocations } from './locations/chatLocations';
import { createEditorTools, type RegisteredTools } from './tools/editorTools';
import { type ToolSettings, createToolSettings, readOwnToolFile } from './logic/toolSettings';
import { openChatServices } from './openChatServices';
import { createJsonFile } from '../../core/storage/storedFile';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import type { EditorTools } from './logic/toolAccess';

/** The chat of this window. Lives as long as the extension; pages come and go. */
export class ChatRuntime {
  readonly engine: ChatEngine;
  readonly tools: RegisteredTools;
  readonly toolSettings: ToolSettings;
  readonly lastEditor: LastEditor;
  readonly code: CodeActions;
  /** Applies code to files. Loaded when an answer has code. */
  readonly edits: Once<CodeEdits>;
  /** Show what is attached. */
  readonly documents: VirtualDocuments;
  readonly locations: ChatLocations;
  private readonly store = new DisposableStore();

  constructor(readonly services: Services) {
    const { store } = this;
    this.tools = store.add(createEditorTools(services));
    this.toolSettings = openToolSettings(services, this.tools);
    this.engine = new ChatEngine(openChatServices(services, this.tools));
    this.lastEditor = store.add(createLastEditor());
    this.code = createCodeActions(this.lastEditor, services.replacements, store.add(new ShellPrompts()));
    this.edits = onceDisposable(store, () => this.openEdits());
    this.documents = store.add(createVirtualDocuments('inference-desk-attachment'));
    this.locations = store.add(new ChatLocations(this));
  }

  show(view: vscode.WebviewView): void {
    this.locations.showView(view);
  }

  /**
   * Asks in a new conversation in the side bar and shows it. Throws, without changing anything, if today's budget is used up or
   * no account is signed in.
   */
  async ask(request: ChatRequest): Promise<void> {
    const { services, locations } = this;
    await (await services.usage()).check(services.account.current.id, 'chat');
    await services.connections.client();
    await locations.sideBar.ask(request);
    await locations.reveal(locations.sideBar);
  }

  private async openEdits(): Promise<CodeEdits> {
    const { CodeEdits } = await import('./edits/codeEdits');
    const edits = new CodeEdits(this.services);
    this.store.add(
      edits.pending.onDidChange(() => {
        for (const { page } of this.locations.all) page.tellEdits(edits.pending.views);
      }),
    );
    return edits;
  }

  /** Restores the changes to files that wait to be kept or undone since the last window. */
  async restoreEdits(): Promise<void> {
    try {
      await (await this.edits()).pending.restore();
    } catch (error) {
      this.services.log.warn(`The changes of answers could not be restored: ${String(error)}`);
    }
  }

  /** Resolves once everything is written and the conversations can be opened elsewhere. */
  async dispose(): Promise<void> {
    this.store.dispose();
    await this.engine.dispose();
  }
}

/** Opens the tool settings over the extension's own storage. */
function openToolSettings({ context, log }: Services, tools: EditorTools): ToolSettings {
  const path = join(context.globalStorageUri.fsPath, 'chat-tools.json');
  return createToolSettings(createJsonFile(path, readOwnToolFile, setAsideReporter(log)), tools, env.language);
}
