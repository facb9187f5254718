import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { listedCapabilities } from '../../core/capabilities/modelCapabilities';
import { createConversationTrash } from '../../core/conversation/conversationTrash';
import { createConversationFolder } from '../../core/conversation/conversationFolder';
import { Leases } from '../../core/storage/leases';
import { createConversationIndex } from '../../core/conversation/conversationIndex';
import { ageWords } from '../../platform/age';
import { setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { describe } from '../../platform/errors/reportError';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import { createVirtualDocuments } from '../../platform/virtualDocuments';
import type { Services } from '../../services/services';
import { ChatEngine } from './chatEngine';
import { addBatchLine } from './addBatchLine';
import { askInNewConversation } from './askInNewConversation';
import { exportConversation } from './exportConversation';
import { chatMessages } from './chatMessages';
import { createCodeActions } from './code/codeActions';
import { ShellPrompts } from './code/terminal';
import type { Attachments } from './attachments/attachments';
import type { ChatRequest } from '../../services/chat/chatService';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import { openParameterService } from './openParameterService';
import type { ParameterService } from './parameterService';
import { createAnsweringContexts } from './locations/answeringContexts';
import type { ChatLocation, ChatLocationParts } from './locations/chatLocation';
import { ChatLocations } from './locations/chatLocations';
import type { ShownMemory } from './shownConversation';
import { savePrompt } from './savePrompt';
import { createEditorTools } from './tools/editorTools';
import { openToolSettings } from './tools/openToolSettings';
import type { EditorTools } from './tools/toolAccess';
import { createToolChanges } from './tools/toolChanges';
import { knownLanguage } from '../../protocol/formats';

/** Minimum interval between updates of an answer to the page: one message costs the page about as much as ten deltas. */
const gatherMs = 40;
/** How long a deleted conversation can be restored; the page's text mentions it. */
const keepDeletedMs = 60 * 60_000;
const reopenMs = 2000;
const currentIdKey = 'chat.conversation';
const lastModelKey = 'chat.model';

/** The chat of this window. Lives as long as the extension; pages come and go. Uses the last used location if none is passed. */
export interface ChatRuntime {
  /** Resolves once everything is written and the conversations can be opened elsewhere. */
  dispose(): Promise<void>;
  readonly locations: ChatLocations;
  show(view: vscode.WebviewView): void;
  /** Starts a new conversation. If a model is passed, chooses it, reveals the location and focuses the question box. */
  startNew(location?: ChatLocation, model?: string): Promise<void>;
  stop(location?: ChatLocation): void;
  /** Asks for a format and a target, and writes the conversation there. */
  exportConversation(location?: ChatLocation): Promise<void>;
  /** Adds the conversation's request to a batch file. */
  addBatchLine(location?: ChatLocation): Promise<void>;
  /**
   * Asks in a new conversation in the side bar and shows it. Throws, without changing anything, if today's budget is used up or
   * nobody is signed in.
   */
  ask(order: ChatRequest): Promise<void>;
  /** Writes the question and its settings to a prompt file that the user chooses. */
  savePrompt(location?: ChatLocation): Promise<void>;
  readonly attachments: Attachments;
}

export function createChatRuntime(services: Services): ChatRuntime {
  const store = new DisposableStore();
  const parameterService = openParameterService(services);
  const tools = createEditorTools(services.context.extension.id);
  const toolSettings = openToolSettings(services, tools, (model) => parameterService.notTaken(model));
  const toolChanges = store.add(createToolChanges());
  const leases = store.add(openLeases(services));
  const engine = createEngine(services, { parameterService, tools, leases });
  const lastEditor = store.add(createLastEditor());
  const code = createCodeActions(lastEditor, services.replacements, store.add(new ShellPrompts()));
  const documents = store.add(createVirtualDocuments('inference-desk-attachment'));
  const history = historyParts(services, leases);
  const { gone } = history;
  const contexts = createAnsweringContexts((id) => engine.runs.isAnswering(id));
  const locations: ChatLocations = store.add(
    new ChatLocations({
      parts: {
        services,
        engine,
        code,
        parameterService,
        toolSettings,
        toolChanges,
        lastEditor,
        settings: services.settings,
        documents,
        history,
        onTrouble: notSaved(services),
      },
      sideBarMemory: sideBarMemory(services),
      gone,
      changed: () => contexts.update(locations),
    }),
  );
  return {
    locations,
    show: (view) => locations.showView(view),
    ...createActs(services, locations),
    get attachments() {
      return locations.current.attachments;
    },
    async dispose() {
      store.dispose();
      await engine.dispose();
    },
  };
}

/** The actions on the conversation of a location. */
function createActs(
  services: Services,
  locations: ChatLocations,
): Omit<ChatRuntime, 'locations' | 'show' | 'attachments' | 'dispose'> {
  const exportable = async ({ session, attachments }: ChatLocation) => {
    await attachments.ready();
    return session.exportable(attachments.tray.attachments);
  };
  return {
    async startNew(location = locations.current, model?: string) {
      const { session, page } = location;
      await session.startNew();
      if (model !== undefined) await session.chooseModel(model);
      await page.tellChanged();
      if (model !== undefined) await locations.reveal(location, 'chat/focusComposer');
    },
    stop: ({ session } = locations.current) => session.stop(),
    exportConversation: async (location = locations.current) =>
      exportConversation(services, await exportable(location)),
    addBatchLine: async (location = locations.current) => addBatchLine(await exportable(location), services.settings),
    async ask(order) {
      await (await services.usage()).check(services.profiles.active?.id ?? '', 'chat');
      await services.connections.client();
      await askInNewConversation(locations.sideBar, order);
      await locations.reveal(locations.sideBar);
    },
    savePrompt: async ({ session } = locations.current) =>
      savePrompt(await session.snapshot(), await session.parameters.get()),
  };
}

/** The conversation the side bar shows, retained across restarts. */
function sideBarMemory({ context }: Services): ShownMemory {
  return {
    get: () => context.workspaceState.get<string>(currentIdKey),
    set: (id) => context.workspaceState.update(currentIdKey, id),
  };
}

const folderOf = ({ context }: Services) => join(context.globalStorageUri.fsPath, 'conversations');

function openLeases(services: Services): Leases {
  return new Leases(join(folderOf(services), 'open'), {
    where: () => vscode.workspace.name ?? '',
    now: Date.now,
    newId: randomUUID,
  });
}

function notSaved({ log }: Services): (error: unknown) => void {
  return (error) => log.warn(`The conversation could not be saved: ${String(error)}`);
}

interface EngineParts {
  readonly parameterService: ParameterService;
  readonly tools: EditorTools;
  readonly leases: Leases;
}

function createEngine(services: Services, { parameterService, tools, leases }: EngineParts): ChatEngine {
  const { context, models, activity, profiles, settings } = services;
  return new ChatEngine({
    folder: createConversationFolder(folderOf(services), Date.now, leases, setAsideReporter(services.log)),
    client: (onUsage) => services.connections.client(undefined, { purpose: 'chat', onUsage }),
    models,
    capabilities: (model) => listedCapabilities(model, settings.get('models.capabilities')),
    activity,
    parameters: parameterService,
    lastModel: {
      get: () => context.workspaceState.get<string>(lastModelKey),
      set: (model) => context.workspaceState.update(lastModelKey, model),
    },
    profileName: () => profiles.active?.name ?? '',
    locale: knownLanguage(vscode.env.language),
    describe,
    words: chatMessages(),
    onTrouble: notSaved(services),
    onAnswer: () => void setContext('inferenceDesk.answerCame', true),
    newId: randomUUID,
    now: Date.now,
    gatherMs,
    reopenMs,
    messageLimit: () => settings.get('chat.messageLimit'),
    tools,
    maxToolRounds: () => settings.get('chat.maxToolRounds'),
  });
}

function historyParts(services: Services, leases: Leases): ChatLocationParts['history'] {
  const folder = folderOf(services);
  return {
    leases,
    index: createConversationIndex(folder),
    trash: createConversationTrash(folder, { keepMs: keepDeletedMs, now: Date.now }),
    age: (at) => ageWords(at, Date.now(), vscode.env.language),
    gone: () => chatMessages().conversationGone(),
  };
}
