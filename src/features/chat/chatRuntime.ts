import { join } from 'node:path';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable, type Once } from '../../platform/once';
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
import { createToolSettings, readOwnToolFile, type ToolSettings } from './logic/toolSettings';
import { createJsonFile } from '../../core/storage/storedFile';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import type { EditorTools } from './logic/toolAccess';
import { randomUUID } from 'node:crypto';
import { settingFor } from '../../core/capabilities/capabilities';
import { withOverride } from '../../core/capabilities/modelOverrides';
import { listedCapabilities } from '../../core/capabilities/modelCapabilities';
import { untakenThinking } from '../../core/api/chat/chatWays';
import { createConversationFolder } from '../../core/conversation/conversationFolder';
import { createConversationIndex } from '../../core/conversation/conversationIndex';
import { createConversationTrash } from '../../core/conversation/conversationTrash';
import { currencyOf, knownServiceOf } from '../../core/profiles/knownServices';
import { Leases } from '../../core/storage/leases';
import { ageWords } from '../../platform/age';
import { setContext } from '../../platform/contributions';
import { describe } from '../../platform/errors/reportError';
import { knownLanguage } from '../../protocol/formats';
import { advisedMessageLimit, learnMessageLimit, messageLimitOf } from '../../services/parameters/messageLimit';
import { createLastModel } from '../../services/models/lastModel';
import { rulesOf } from '../../core/profiles/vendorRules';
import { chatMessages } from './chatMessages';
import { createParameterService, readParameterFile, type ParameterAccount } from './logic/parameterService';
import type { ChatServices } from './logic/chatServices';
import { readInstructions } from './instructions';

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

/** Minimum interval between updates of an answer to the page: one message costs the page about as much as ten deltas. */
const updateMs = 40;
/** How long a deleted conversation can be restored; the page's text mentions it. */
const keepDeletedMs = 60 * 60_000;
const reopenMs = 2000;

/** Opens the conversations over this window, its settings and the extension's own storage. */
function openChatServices(services: Services, tools: EditorTools): ChatServices {
  const { account, context, models, activity, settings, log } = services;
  const storage = context.globalStorageUri.fsPath;
  const folder = join(storage, 'conversations');
  const leases = new Leases(join(folder, 'open'), () => vscode.workspace.name ?? '');
  const parameterFile = createJsonFile(join(storage, 'chat-parameters.json'), readParameterFile, setAsideReporter(log));
  return {
    storage: {
      folder: createConversationFolder(folder, Date.now, leases, setAsideReporter(log)),
      index: createConversationIndex(folder),
      trash: createConversationTrash(folder, keepDeletedMs),
      leases,
    },
    account: {
      name: () => account.current.name,
      nameOf: (id) => services.profiles.get(id)?.name,
      currency: () => currencyOf(account.current.baseUrl),
      client: (onUsage, account) => services.connections.client(account, { purpose: 'chat', onUsage }),
      checkBudget: async () => (await services.usage()).check(account.current.id, 'chat'),
      messageLimit: () => messageLimitOf(services, account.current.profile),
      advisedMessages: () => advisedMessageLimit(services, account.current.profile),
      learnMessageLimit: (limit) => learnMessageLimit(services, account.current.profile, limit),
    },
    models: {
      catalogue: models,
      last: createLastModel(context.workspaceState, 'chat.model', account),
      capabilities: (model) => listedCapabilities(model, settings.get('models.capabilities')),
    },
    parameters: createParameterService(parameterFile, parameterAccount(services), vscode.env.language),
    tools,
    instructions: () => readInstructions(settings),
    activity,
    window: {
      locale: knownLanguage(vscode.env.language),
      words: chatMessages(),
      age: (at) => ageWords(at, Date.now(), vscode.env.language),
      describe,
      saveImage: async ({ bytes, model, prompt }) => {
        const service = account.current.baseUrl ?? '';
        await (await services.media()).assets.keep(bytes, { kind: 'image', request: { model, prompt }, service });
      },
      onError: (error) => log.warn(`The conversation could not be saved: ${String(error)}`),
      onAnswer: () => void setContext('inferenceDesk.answerCame', true),
    },
    clock: { now: Date.now, newId: randomUUID, updateMs, reopenMs },
  };
}

function parameterAccount(services: Services): ParameterAccount {
  const { account, models, settings } = services;
  const profileId = () => account.current.id;
  return {
    profileId,
    bounds: () => rulesOf(account.current.baseUrl).bounds,
    hidden: (model) => hiddenThinking(services, model),
    takesTools: (model) => {
      const listed = models.state.models.find(({ id }) => id === model);
      const pattern = settingFor(model, settings.get('models.capabilities'));
      return (listed?.own?.tools ?? pattern.tools ?? listed?.tools) !== false;
    },
    allowTools: (model) =>
      settings.set(
        'models.overrides',
        withOverride(settings.get('models.overrides'), { profileId: profileId(), model }, 'tools', true),
      ),
  };
}

function hiddenThinking({ account, models, settings }: Services, id: string) {
  const listed = models.state.models.find((model) => model.id === id) ?? { id, types: [], subTypes: [] };
  const { thinking } = listedCapabilities(listed, settings.get('models.capabilities'));
  return untakenThinking(thinking, knownServiceOf(account.current.baseUrl ?? '')?.id);
}
