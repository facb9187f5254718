import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { Handlers, HandlersOf } from '../../protocol/call';
import type { ChatScreen, Spent, UsedCode } from '../../protocol/chat';
import { attachmentHandlers, type AttachmentHandlersOptions } from './attachments/attachmentHandlers';
import type { ChatSession } from './chatSession';
import { compareHandlers } from './compare/compareHandlers';
import { isOutsideLink } from '../../platform/outsideLink';
import type { ParameterService } from './parameterService';
import { locationHandlers, type LocationLinks } from './locations/locationHandlers';
import { toolHandlers, type ToolHandlersOptions } from './tools/toolHandlers';
import { type ChatParameters, parameterNames } from '../../core/conversation/chatParameters';
import type { parameterCalls } from '../../protocol/chatParameters';
import { readForm } from './parameterForm';
import type { ConversationHistory } from './conversationHistory';

export interface ChatHandlersOptions
  extends ConversationHandlersOptions, Pick<ToolHandlersOptions, 'toolSettings' | 'toolsChanged'> {
  readonly session: ConversationHandlersOptions['session'] &
    Pick<
      ChatSession,
      | 'ask'
      | 'retry'
      | 'stop'
      | 'follow'
      | 'startNew'
      | 'setDraft'
      | 'chooseModel'
      | 'turn'
      | 'continue'
      | 'parameters'
      | 'tools'
      | 'comparisons'
      | 'takeOver'
      | 'save'
      | 'unsavedText'
    > & {
      readonly compaction: Pick<ChatSession['compaction'], 'text' | 'startFrom'>;
    };
  readonly parameterService: ParameterService;
  readonly models: ModelCatalogue;
  readonly copy: (text: string) => PromiseLike<void>;
  readonly openLink: (url: string) => PromiseLike<unknown>;
  /** Asks for a target and writes the conversation there. */
  readonly exportConversation: () => PromiseLike<unknown>;
  /** Runs an action that is not the chat's own. Resolves to false if it is unknown. */
  readonly runAction: (id: string) => Promise<boolean>;
  readonly spending: { check(): Promise<void>; read(): Promise<Spent> };
  readonly useCode: (code: UsedCode) => Promise<void>;
  readonly attachments: AttachmentHandlersOptions['attachments'];
  readonly location: LocationLinks;
}

/** Id of the action that leaves a conversation that is too long. */
export const newConversation = 'newConversation';

/** Ids of the actions for content that could not be saved to disk. */
export const saveUnsaved = 'saveUnsaved';
export const copyUnsaved = 'copyUnsaved';
export const exportUnsaved = 'exportUnsaved';

/** Prefix of the id of the action that takes a conversation over from another window. */
export const openHere = 'openHere:';

/** Handlers for the chat page's calls. Their parameters have already been validated with `chatCalls`. */
export function chatHandlers(options: ChatHandlersOptions): Handlers<ChatScreen> {
  const { session, models, spending } = options;
  const act = chatActions(options);

  return {
    'chat/ready': async () => {
      const snapshot = await session.snapshot();
      void models.ensureFresh();
      return snapshot;
    },
    'chat/follow': async (followed, context) => ({ answer: await session.follow(followed, context) }),
    'chat/stop': async ({ turnId }) => {
      session.stop(turnId);
      return {};
    },
    'chat/spent': () => spending.read(),
    'chat/draft': ({ text, conversationId }) => session.setDraft(text, conversationId).then(() => ({})),
    'chat/chooseModel': async ({ model }) => {
      await session.chooseModel(model);
      return {};
    },
    'chat/copy': async ({ text }) => {
      await options.copy(text);
      return {};
    },
    'chat/openLink': async ({ url }) => {
      if (!isOutsideLink(url)) throw new Error('Only web and mail addresses are opened.');
      await options.openLink(url);
      return {};
    },
    'chat/act': async ({ action }) => {
      await act(action);
      return {};
    },
    'chat/compactedText': async () => ({ text: await session.compaction.text() }),
    'chat/startFrom': async ({ turnId }) => ({ compaction: await session.compaction.startFrom(turnId) }),
    ...askingHandlers(options),
    ...parameterHandlers(options),
    ...workHandlers(options),
    ...conversationHandlers(options),
    ...compareHandlers(options),
    ...toolHandlers(options),
  };
}

/** Calls that send a request, and therefore check the budget first. */
function askingHandlers({ session, spending, attachments: { tray } }: ChatHandlersOptions) {
  return {
    'chat/ask': async ({ text, model, attachments: ids = [] }) => {
      await spending.check();
      await session.comparisons.checkPicked();
      const along = ids.map((id) => tray.get(id));
      const turn = await session.ask(text, model, along);
      if (ids.length > 0) tray.remove(ids);
      return { turn };
    },
    'chat/retry': async ({ turnId, model }) => {
      await spending.check();
      return { turn: await session.retry(turnId, model) };
    },
    'chat/continue': async ({ turnId }) => {
      await spending.check();
      return { turn: await session.continue(turnId) };
    },
  } satisfies Partial<Handlers<ChatScreen>>;
}

/** Calls that read from the editor or write to it. */
function workHandlers({ session, attachments, location, useCode }: ChatHandlersOptions) {
  return {
    ...locationHandlers(location),
    'chat/useCode': async (used: UsedCode) => {
      if (!(await session.turn(used.turnId))) throw new Error('The code is of no answer that is shown.');
      await useCode(used);
      return {};
    },
    ...attachmentHandlers({
      attachments,
      sentWith: async (turnId) => (await session.turn(turnId))?.attachments ?? [],
    }),
  };
}

/**
 * Runs the actions offered with an error; the page itself runs those about the question (`retry`, `useModel:…`, `chooseModel`).
 * Ids come from the page, so unknown ones throw.
 */
function chatActions({ session, models, changed, runAction, copy, exportConversation }: ChatHandlersOptions) {
  return async (action: string): Promise<void> => {
    if (action === 'refreshModels') await models.refresh();
    else if (action === newConversation) {
      await session.startNew(true);
      changed();
    } else if (action === saveUnsaved) await session.save();
    else if (action === copyUnsaved) await copy(await session.unsavedText());
    else if (action === exportUnsaved) await exportConversation();
    else if (action.startsWith(openHere)) {
      await session.takeOver(action.slice(openHere.length));
      changed();
    } else if (!(await runAction(action))) throw new Error(`Nobody knows the step "${action.split(':')[0]}".`);
  };
}

interface ParameterHandlersOptions {
  /** Called after a preset was applied, because it may contain tools. */
  readonly toolsChanged: () => void;
  readonly session: Pick<ChatSession, 'parameters'>;
  readonly parameterService: ParameterService;
}

export function parameterHandlers({
  session,
  parameterService,
  toolsChanged,
}: ParameterHandlersOptions): HandlersOf<typeof parameterCalls> {
  const now = async (model: string) => parameterService.describe(await session.parameters.get(), model);
  const setTaken = async (model: string, name: string, isTaken: boolean) => {
    const known = parameterNames.find((one) => one === name);
    if (known) await parameterService.setTaken(model, known, isTaken);
    return now(model);
  };
  const set = async (parameters: ChatParameters, model: string) => {
    await session.parameters.set(parameters);
    return parameterService.describe(parameters, model);
  };
  return {
    'chat/parameters': ({ model }) => now(model),
    'chat/setParameters': async ({ form, model }) => {
      const { parameters: typed, issues } = readForm(form);
      // Tools are set elsewhere.
      const { tools, tool_choice } = await session.parameters.get();
      const parameters = { ...typed, ...(tools && { tools }), ...(tool_choice && { tool_choice }) };
      await session.parameters.set(parameters);
      return parameterService.describe(parameters, model, issues);
    },
    'chat/savePreset': async ({ name, model }) => {
      await parameterService.savePreset(name.trim(), await session.parameters.get());
      return now(model);
    },
    'chat/applyPreset': async ({ id, model }) => {
      const state = await set(await parameterService.preset(id), model);
      toolsChanged();
      return state;
    },
    'chat/renamePreset': async ({ id, name, model }) => {
      await parameterService.renamePreset(id, name.trim());
      return now(model);
    },
    'chat/deletePreset': async ({ id, model }) => {
      await parameterService.deletePreset(id);
      return now(model);
    },
    'chat/withoutParameter': ({ parameter, model }) => setTaken(model, parameter, false),
    'chat/withParameter': ({ parameter, model }) => setTaken(model, parameter, true),
  };
}

interface ConversationHandlersOptions {
  readonly session: Pick<ChatSession, 'snapshot' | 'edit' | 'walk'>;
  readonly spending: { check(): Promise<void> };
  readonly history: Pick<ConversationHistory, 'list' | 'open' | 'rename' | 'pin' | 'delete' | 'restore'>;
  /** Notifies the page of changes it did not make itself. */
  readonly changed: () => void;
}

type ConversationCalls =
  | 'chat/edit'
  | 'chat/walk'
  | 'chat/conversations'
  | 'chat/openConversation'
  | 'chat/renameConversation'
  | 'chat/pinConversation'
  | 'chat/deleteConversation'
  | 'chat/restoreConversation';

/** Handlers for the page's calls about branches and other conversations. */
function conversationHandlers({
  session,
  spending,
  history,
  changed,
}: ConversationHandlersOptions): Pick<Handlers<ChatScreen>, ConversationCalls> {
  return {
    'chat/edit': async ({ turnId, text, model }) => {
      await spending.check();
      return { turn: await session.edit(turnId, text, model) };
    },
    'chat/walk': async ({ turnId, among, index }) => {
      await session.walk(turnId, among, index);
      return session.snapshot();
    },
    'chat/conversations': async ({ query }, { signal }) => history.list(query, signal),
    'chat/openConversation': async ({ id }) => {
      await history.open(id);
      return session.snapshot();
    },
    'chat/renameConversation': async ({ id, title }) => {
      await history.rename(id, title);
      return {};
    },
    'chat/pinConversation': async ({ id, pinned }) => {
      await history.pin(id, pinned);
      return {};
    },
    'chat/deleteConversation': async ({ id }) => {
      if (await history.delete(id)) changed();
      return {};
    },
    'chat/restoreConversation': async ({ id }) => {
      await history.restore(id);
      return {};
    },
  };
}
