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
import { createParameterService, readParameterFile, type ParameterAccount } from './logic/parameterService';
import type { EditorTools } from './logic/toolAccess';
import type { Services } from '../../services/services';
import type { ChatServices } from './logic/chatServices';
import { readInstructions } from './instructions';

/** Minimum interval between updates of an answer to the page: one message costs the page about as much as ten deltas. */
const updateMs = 40;
/** How long a deleted conversation can be restored; the page's text mentions it. */
const keepDeletedMs = 60 * 60_000;
const reopenMs = 2000;

/** Opens the conversations over this window, its settings and the extension's own storage. */
export function openChatServices(services: Services, tools: EditorTools): ChatServices {
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
