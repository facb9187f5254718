import type { ModelCatalogue } from '../../platform/modelCatalogue';
import type { Handlers } from '../../protocol/call';
import type { ChatScreen, Spent, UsedCode } from '../../protocol/chat';
import { attachmentHandlers } from './attachments/attachmentHandlers';
import type { AttachmentHandlersOptions } from './attachments/attachmentHandlers';
import type { ChatSession } from './chatSession';
import { conversationHandlers } from './conversationHandlers';
import type { ConversationHandlersOptions } from './conversationHandlers';
import { isOutsideLink } from './outsideLink';
import type { ParameterDesk } from './parameterDesk';
import { parameterHandlers } from './parameterHandlers';

export interface ChatHandlersOptions extends ConversationHandlersOptions {
  readonly session: ConversationHandlersOptions['session'] &
    Pick<
      ChatSession,
      'ask' | 'retry' | 'stop' | 'follow' | 'startNew' | 'setDraft' | 'chooseModel' | 'turn' | 'continue' | 'parameters'
    > & {
      readonly folding: Pick<ChatSession['folding'], 'text' | 'startFrom'>;
    };
  readonly desk: ParameterDesk;
  readonly models: Pick<ModelCatalogue, 'ensureFresh' | 'refresh'>;
  readonly copy: (text: string) => PromiseLike<void>;
  readonly openLink: (url: string) => PromiseLike<unknown>;
  /** A step that is not the chat's own. False when nobody knows it. */
  readonly runAction: (id: string) => Promise<boolean>;
  readonly spending: { check(): Promise<void>; read(): Promise<Spent> };
  readonly useCode: (code: UsedCode) => Promise<void>;
  readonly attachments: AttachmentHandlersOptions['attachments'];
}

/** Id of the step that leaves a conversation which is too long. */
export const newConversation = 'newConversation';

/** What the chat page may ask for. Parameters are checked by `chatParams` before they come here. */
export function chatHandlers(options: ChatHandlersOptions): Handlers<ChatScreen> {
  const { session, models, spending } = options;
  const act = chatActions(options);

  return {
    'chat/ready': async () => {
      const snapshot = await session.snapshot();
      void models.ensureFresh();
      return snapshot;
    },
    'chat/ask': async ({ text, model, attachments: ids = [] }) => {
      await spending.check();
      const { tray } = options.attachments;
      const along = ids.map((id) => tray.get(id));
      const turn = await session.ask(text, model, along);
      if (ids.length > 0) tray.remove(ids);
      return { turn };
    },
    'chat/follow': async ({ turnId, have }, context) => ({ answer: await session.follow(turnId, have, context) }),
    'chat/stop': async ({ turnId }) => {
      session.stop(turnId);
      return {};
    },
    'chat/retry': async ({ turnId, model }) => {
      await spending.check();
      return { turn: await session.retry(turnId, model) };
    },
    'chat/spent': () => spending.read(),
    'chat/new': async () => {
      await session.startNew();
      return session.snapshot();
    },
    'chat/draft': ({ text }) => session.setDraft(text).then(() => ({})),
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
    'chat/foldedText': async () => ({ text: await session.folding.text() }),
    'chat/startFrom': async ({ turnId }) => ({ folding: await session.folding.startFrom(turnId) }),
    'chat/continue': async ({ turnId }) => ({ turn: await session.continue(turnId) }),
    ...parameterHandlers(options),
    ...workHandlers(options),
    ...conversationHandlers(options),
  };
}

/** What takes something from the editor, or puts something there. */
function workHandlers({ session, attachments, useCode }: ChatHandlersOptions) {
  return {
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
 * Takes the steps an error offers; those about the question itself (`retry`, `useModel:…`, `chooseModel`) the page takes. Ids
 * come from the page: what nobody knows is refused.
 */
function chatActions({ session, models, changed, runAction }: ChatHandlersOptions) {
  return async (action: string): Promise<void> => {
    if (action === 'refreshModels') await models.refresh();
    else if (action === newConversation) {
      await session.startNew();
      changed();
    } else if (!(await runAction(action))) throw new Error(`Nobody knows the step "${action.split(':')[0]}".`);
  };
}
