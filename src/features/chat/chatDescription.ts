import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import type { Attachment } from '../../core/conversation/attachment';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { shownAnswer, type Transcript, type TranscriptTurn } from '../../core/conversation/transcript';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import type { ChatSnapshot, Turn, ChatModel } from '../../protocol/chat';
import type { ContextCompaction } from './contextCompaction';
import type { ChatSessionOptions } from './chatSession';
import { withComparison } from './compare/toComparison';
import { toExportable, type Exportable } from './exportable';
import { toTurn, type CallViewsOf } from './toTurn';
import type { ChatEngineOptions } from './chatEngineOptions';

/** Describes the shown conversation for the page and for exports. */
export interface ChatDescription {
  snapshot(): Promise<ChatSnapshot>;
  /** Returns the input of an export; `attachments` belong to the question in the input box. */
  exportable(attachments: readonly Attachment[]): Promise<Exportable>;
}

export function createChatDescription(options: ChatSessionOptions, compaction: ContextCompaction): ChatDescription {
  const { shown, models, parameters, tools, lastModel } = options;
  /** The conversation's own model, else the default, else the one used last if still offered, else the first. */
  const modelOf = ({ model }: Transcript, catalogue: CatalogueState) => {
    const last = lastModel.get();
    return (
      model ?? chooseModel('chat', { ...catalogue, pins: [...(last === undefined ? [] : [last]), ...catalogue.pins] })
    );
  };
  return {
    async snapshot() {
      const [conversation, catalogue] = await Promise.all([shown.current(), models.ready()]);
      const { transcript } = conversation;
      const model = modelOf(transcript, catalogue);
      return {
        account: catalogue.session === 'signedIn' ? 'ready' : 'signedOut',
        profileName: options.profileName(),
        locale: options.locale,
        ...shownModels(catalogue, options),
        ...(model === undefined ? {} : { model }),
        conversationId: conversation.id,
        draft: await conversation.readDraft(),
        ...(shown.draftMovedFrom !== undefined && { draftMovedFrom: shown.draftMovedFrom }),
        parameters: await parameters.describe(transcript.parameters, model),
        turns: transcript.turns().map((turn) => describeTurn(conversation, turn, options)),
        compaction: compaction.of(conversation),
        comparing: transcript.comparedModels,
        ...(conversation.unsaved && { unsaved: options.words.unsaved(conversation.unsaved) }),
        ...(shown.elsewhere && { notice: options.words.newInstead(shown.elsewhere) }),
      };
    },
    async exportable(attachments) {
      const [conversation, catalogue] = await Promise.all([shown.current(), models.ready()]);
      const { id, transcript } = conversation;
      const model = modelOf(transcript, catalogue);
      const sent = { usage: transcript.usage(), sentTurns: transcript.sentTurns(), messageLimit: compaction.limit };
      const next = { draft: await conversation.readDraft(), attachments };
      const notTaken = model === undefined ? [] : await parameters.notTaken(model);
      const set = { parameters: transcript.parameters, notTaken, editorTools: tools.list() };
      return toExportable({ id, turns: transcript.turns(), ...sent, ...next, ...set, model });
    },
  };
}

/** Describes a turn with its shown try in its current state. */
export function describeTurn(
  { transcript }: Conversation,
  turn: TranscriptTurn,
  { runs, callViews }: ChatSessionOptions,
): Turn {
  const shown = shownAnswer(turn);
  const running = shown && runs.of(shown.id);
  const views: CallViewsOf = (answer) => callViews(transcript, answer, runs.of(answer.id));
  return withComparison(toTurn(turn, running, transcript.siblings(turn.id), views), turn, runs, views);
}

/** Returns the models the chat offers, and the state of their list. */
function shownModels(
  catalogue: CatalogueState,
  { describe, capabilities }: ChatEngineOptions,
): Pick<ChatSnapshot, 'models' | 'modelsState' | 'modelsError'> {
  const models = modelsForJob('chat', catalogue.models, catalogue.pins).map((model): ChatModel => {
    const { contextTokens, tools } = capabilities(model);
    return {
      id: model.id,
      pinned: catalogue.pins.includes(model.id),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(tools === true && { tools }),
    };
  });
  if (catalogue.models.length > 0) return { models, modelsState: 'ready' };
  if (catalogue.loading) return { models, modelsState: 'loading' };
  if (catalogue.error !== undefined) return { models, modelsState: 'failed', modelsError: describe(catalogue.error) };
  return { models, modelsState: catalogue.fetchedAt === undefined ? 'unknown' : 'ready' };
}
