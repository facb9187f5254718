import type { ChatParameters } from '../../src/core/conversation/chatParameters';
import { createParameterService, parameterHandlers, toForm } from '../../src/features/chat/logic/parameterService';
import type { ParameterAccount, ParameterFile } from '../../src/features/chat/logic/parameterService';
import { vendorRules } from '../../src/core/profiles/vendorRules';
import type { HandlersOf } from '../../src/protocol/call';
import type { parameterCalls, ParametersState } from '../../src/protocol/chatParameters';

/** Creates the host's own parameter service and handlers over memory instead of disk. */
export function createParameters(saved?: ParameterFile, hidden: ParameterAccount['hidden'] = () => []) {
  const memory: { set: ChatParameters; file: ParameterFile | undefined; readonly withoutTools: Set<string> } = {
    set: {},
    file: saved,
    withoutTools: new Set(),
  };
  const file = {
    read: async () => memory.file,
    write: async (value: ParameterFile) => void (memory.file = value),
    remove: async () => void (memory.file = undefined),
  };
  const account = {
    profileId: () => 'work',
    bounds: () => vendorRules.bounds,
    hidden,
    takesTools: (model: string) => !memory.withoutTools.has(model),
    allowTools: async (model: string) => void memory.withoutTools.delete(model),
  };
  const parameterService = createParameterService(file, account, 'en');
  const conversation = {
    get: async () => memory.set,
    set: async (parameters: ChatParameters) => void (memory.set = parameters),
  };
  const handlers = parameterHandlers(conversation, parameterService, () => {});
  return { memory, desk: parameterService, handlers };
}

export function emptyParameters(changes: Partial<ParametersState> = {}): ParametersState {
  return {
    form: toForm({}),
    count: 0,
    hints: { temperature: '0 to 2', top_p: '0.1 to 1', top_k: '0 to 50' },
    defaults: { max_tokens: 'Defaults to 4,096 tokens for Qwen3-Coder-30B-A3B-Instruct' },
    issues: {},
    warnings: {},
    notTaken: {},
    presets: [],
    ...changes,
  };
}

/** Returns the handlers of a new conversation. Calls `note` for each call. */
export function notedParameters(
  note: (method: keyof typeof parameterCalls, params: unknown) => void,
): HandlersOf<typeof parameterCalls> {
  const { handlers } = createParameters();
  const noted = Object.entries(handlers).map(([method, handle]) => [
    method,
    (params: never, context: never) => {
      note(method as keyof typeof parameterCalls, params);
      return (handle as (params: never, context: never) => Promise<unknown>)(params, context);
    },
  ]);
  return Object.fromEntries(noted) as HandlersOf<typeof parameterCalls>;
}
