import type { ChatParameters } from '../../../core/conversation/chatParameters';
import type { HandlersOf } from '../../../protocol/call';
import type { toolCalls } from '../../../protocol/chatTools';
import type { ChatSession } from '../chatSession';
import type { ToolSettings } from './toolSettings';
import { withTools } from './toolSettings';

/** `toolsChanged` is called when the tools shown by other pages changed. */
export function toolHandlers(
  session: ChatSession,
  toolSettings: ToolSettings,
  toolsChanged: () => void,
): HandlersOf<typeof toolCalls> {
  const state = async (model: string) => {
    const notTaken = await session.engine.services.parameters.notTaken(model);
    const parameters = await session.parameters.get();
    const allowed = await session.tools.allowed();
    return toolSettings.describe({ parameters, allowed, isRefused: notTaken.includes('tools') }, model);
  };
  const change = async (change: (parameters: ChatParameters) => ChatParameters | Promise<ChatParameters>) => {
    await session.parameters.set(await change(await session.parameters.get()));
  };
  return {
    'chat/tools': ({ model }) => state(model),
    'chat/offerTools': async ({ ids, offered, model }) => {
      await change((parameters) => toolSettings.offer(parameters, ids, offered));
      return state(model);
    },
    'chat/toolChoice': async ({ choice, model }) => {
      await change((parameters) => toolSettings.choose(parameters, choice));
      return state(model);
    },
    'chat/checkOwnTool': async ({ form, replaces }) => ({ issues: await toolSettings.check(form, replaces) }),
    'chat/saveOwnTool': async ({ form, replaces, model }) => {
      const { issues, tool } = await toolSettings.save(form, replaces);
      if (tool) {
        await change((parameters) => {
          const others = (parameters.tools ?? []).filter(
            ({ source, name }) => source === 'editor' || (name !== replaces && name !== tool.name),
          );
          return withTools(parameters, [...others, { source: 'own', ...tool }]);
        });
        toolsChanged();
      }
      return { issues, tools: await state(model) };
    },
    'chat/deleteOwnTool': async ({ name, model }) => {
      await toolSettings.delete(name);
      await change((parameters) =>
        withTools(
          parameters,
          (parameters.tools ?? []).filter((tool) => tool.source === 'editor' || tool.name !== name),
        ),
      );
      toolsChanged();
      return state(model);
    },
    'chat/forbidTool': async ({ id, model }) => {
      await session.tools.forbid(id.replace(/^editor:/, ''));
      return state(model);
    },
    'chat/answerToolCall': async (call) => {
      const turn = await session.tools.decide(call);
      if (call.decision.type === 'allow' && call.decision.always) toolsChanged();
      return { turn };
    },
  };
}
