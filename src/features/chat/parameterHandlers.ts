import type { ChatParameters } from '../../core/conversation/chatParameters';
import { parameterNames } from '../../core/conversation/chatParameters';
import type { HandlersOf } from '../../protocol/call';
import type { parameterCalls } from '../../protocol/chatParameters';
import type { ChatSession } from './chatSession';
import type { ParameterService } from './parameterService';
import { readForm } from './parameterForm';

export interface ParameterHandlersOptions {
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
