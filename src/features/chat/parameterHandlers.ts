import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ChatParameters } from '../../core/conversation/chatParameters';
import { numbersAt } from '../../core/parameters/parameterTable';
import { parameterNames } from '../../core/conversation/chatParameters';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import type { Handlers } from '../../protocol/call';
import type { ParametersCalls } from '../../protocol/chatParameters';
import type { ChatSession } from './chatSession';
import type { ParameterService } from './parameterService';
import { readForm } from './parameterForm';

/** The part of the chat screen for parameters. */
export interface ParametersScreen {
  readonly state: unknown;
  readonly calls: ParametersCalls;
  readonly events: Record<never, never>;
}

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
}: ParameterHandlersOptions): Handlers<ParametersScreen> {
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

const id = z.string().check(z.minLength(1), z.maxLength(64));
const model = z.string().check(z.maxLength(500));
const parameter = z.enum(parameterNames);
const name = z.string().check(
  z.maxLength(100),
  z.refine((typed) => typed.trim() !== ''),
);
/** No number is longer; like the other limits, a guard against a misbehaving page. */
const number = z.string().check(z.maxLength(100));
const text = z.string().check(z.maxLength(2_000_000));

export const parameterParams: ParamSchemas<ParametersScreen> = {
  'chat/parameters': z.strictObject({ model }),
  'chat/setParameters': z.strictObject({
    model,
    form: z.strictObject({
      system: text,
      numbers: z.partialRecord(z.enum(numbersAt('messages')), number),
      stop_sequences: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
      prefill: text,
    }),
  }),
  'chat/savePreset': z.strictObject({ model, name }),
  'chat/applyPreset': z.strictObject({ model, id }),
  'chat/renamePreset': z.strictObject({ model, id, name }),
  'chat/deletePreset': z.strictObject({ model, id }),
  'chat/withoutParameter': z.strictObject({ model, parameter }),
  'chat/withParameter': z.strictObject({ model, parameter }),
};
