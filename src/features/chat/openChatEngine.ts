import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { settingFor } from '../../core/capabilities/capabilities';
import { withOverride } from '../../core/capabilities/modelOverrides';
import { listedCapabilities } from '../../core/capabilities/modelCapabilities';
import { untakenThinking } from '../../core/api/chat/chatWays';
import { createConversationFolder } from '../../core/conversation/conversationFolder';
import { createConversationIndex } from '../../core/conversation/conversationIndex';
import { createConversationTrash } from '../../core/conversation/conversationTrash';
import { currencyOf, knownServiceOf } from '../../core/profiles/knownServices';
import { Leases } from '../../core/storage/leases';
import { createJsonFile } from '../../core/storage/storedFile';
import { ageWords } from '../../platform/age';
import { setContext } from '../../platform/contributions';
import { describe } from '../../platform/errors/reportError';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import { knownLanguage } from '../../protocol/formats';
import { advisedMessageLimit, learnMessageLimit, messageLimitOf } from '../../services/parameters/messageLimit';
import { createLastModel } from '../../services/models/lastModel';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { Services } from '../../services/services';
import { ChatEngine } from './chatEngine';
import { chatMessages, parameterMessages } from './chatMessages';
import { createParameterService, readParameterFile } from './parameterService';
import type { EditorTools } from './tools/toolAccess';

/** Minimum interval between updates of an answer to the page: one message costs the page about as much as ten deltas. */
const gatherMs = 40;
/** How long a deleted conversation can be restored; the page's text mentions it. */
const keepDeletedMs = 60 * 60_000;
const reopenMs = 2000;

/** Creates the engine over this window, its settings and the extension's own storage. */
export function openChatEngine(services: Services, tools: EditorTools): ChatEngine {
  const { context, models, activity, profiles, settings, log } = services;
  const storage = context.globalStorageUri.fsPath;
  const folder = join(storage, 'conversations');
  const leases = new Leases(join(folder, 'open'), () => vscode.workspace.name ?? '');
  const parameterFile = createJsonFile(join(storage, 'chat-parameters.json'), readParameterFile, setAsideReporter(log));
  const account = () => ({ id: profiles.active?.id ?? '', ...rulesOf(profiles.active?.baseUrl) });
  return new ChatEngine({
    folder: createConversationFolder(folder, Date.now, leases, setAsideReporter(log)),
    index: createConversationIndex(folder),
    trash: createConversationTrash(folder, keepDeletedMs),
    leases,
    age: (at) => ageWords(at, Date.now(), vscode.env.language),
    client: (onUsage, account) => services.connections.client(account, { purpose: 'chat', onUsage }),
    models,
    capabilities: (model) => listedCapabilities(model, settings.get('models.capabilities')),
    activity,
    parameters: createParameterService(
      parameterFile,
      {
        profileId: () => account().id,
        bounds: () => account().bounds,
        hidden: (model) => hiddenThinking(services, model),
        takesTools: (model) => {
          const listed = models.state.models.find(({ id }) => id === model);
          const pattern = settingFor(model, settings.get('models.capabilities'));
          return (listed?.own?.tools ?? pattern.tools ?? listed?.tools) !== false;
        },
        allowTools: (model) =>
          settings.set(
            'models.overrides',
            withOverride(settings.get('models.overrides'), { profileId: account().id, model }, 'tools', true),
          ),
      },
      parameterMessages(vscode.env.language),
    ),
    lastModel: createLastModel(context.workspaceState, 'chat.model', profiles),
    advisedMessages: () => advisedMessageLimit(services, profiles.active),
    learnMessageLimit: (limit) => learnMessageLimit(services, profiles.active, limit),
    currency: () => currencyOf(profiles.active?.baseUrl),
    profileName: () => profiles.active?.name ?? '',
    locale: knownLanguage(vscode.env.language),
    describe,
    words: chatMessages(),
    saveImage: async ({ bytes, model, prompt }) => {
      const service = profiles.active?.baseUrl ?? '';
      await services.media.assets.keep(bytes, { kind: 'image', request: { model, prompt }, service });
    },
    onTrouble: (error) => log.warn(`The conversation could not be saved: ${String(error)}`),
    onAnswer: () => void setContext('inferenceDesk.answerCame', true),
    newId: randomUUID,
    now: Date.now,
    gatherMs,
    reopenMs,
    messageLimit: () => messageLimitOf(services, profiles.active),
    tools,
    maxToolRounds: () => settings.get('chat.maxToolRounds'),
  });
}

function hiddenThinking({ models, profiles, settings }: Services, id: string) {
  const listed = models.state.models.find((model) => model.id === id) ?? { id, types: [], subTypes: [] };
  const { thinking } = listedCapabilities(listed, settings.get('models.capabilities'));
  return untakenThinking(thinking, knownServiceOf(profiles.active?.baseUrl ?? '')?.id);
}
