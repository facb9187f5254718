import type * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { createVirtualDocuments, type VirtualDocuments } from '../../platform/virtualDocuments';
import { createLastEditor, type LastEditor } from '../../platform/workspace/lastEditor';
import type { ChatRequest } from '../../services/chat/chatService';
import type { Services } from '../../services/services';
import type { ChatEngine } from './chatEngine';
import { createCodeActions, type CodeActions } from './code/codeActions';
import { ShellPrompts } from './code/terminal';
import { ChatLocations } from './locations/chatLocations';
import { openChatEngine } from './openChatEngine';
import { createEditorTools, type RegisteredTools } from './tools/editorTools';
import { openToolSettings } from './tools/openToolSettings';
import type { ToolSettings } from './tools/toolSettings';

/** The chat of this window. Lives as long as the extension; pages come and go. */
export class ChatRuntime {
  readonly engine: ChatEngine;
  readonly tools: RegisteredTools;
  readonly toolSettings: ToolSettings;
  readonly lastEditor: LastEditor;
  readonly code: CodeActions;
  /** Show what is attached. */
  readonly documents: VirtualDocuments;
  readonly locations: ChatLocations;
  private readonly store = new DisposableStore();

  constructor(readonly services: Services) {
    const { store } = this;
    this.tools = store.add(createEditorTools(services));
    this.toolSettings = openToolSettings(services, this.tools);
    this.engine = openChatEngine(services, this.tools);
    this.lastEditor = store.add(createLastEditor());
    this.code = createCodeActions(this.lastEditor, services.replacements, store.add(new ShellPrompts()));
    this.documents = store.add(createVirtualDocuments('inference-desk-attachment'));
    this.locations = store.add(new ChatLocations(this));
  }

  show(view: vscode.WebviewView): void {
    this.locations.showView(view);
  }

  /**
   * Asks in a new conversation in the side bar and shows it. Throws, without changing anything, if today's budget is used up or
   * nobody is signed in.
   */
  async ask(order: ChatRequest): Promise<void> {
    const { services, locations } = this;
    await (await services.usage()).check(services.profiles.active?.id ?? '', 'chat');
    await services.connections.client();
    await locations.sideBar.ask(order);
    await locations.reveal(locations.sideBar);
  }

  /** Resolves once everything is written and the conversations can be opened elsewhere. */
  async dispose(): Promise<void> {
    this.store.dispose();
    await this.engine.dispose();
  }
}
