import '../../../schema/jitless';
import * as z from 'zod/mini';
import { type OwnToolFault, placeIn, readOwnTool } from '../../../core/conversation/ownTool';
import type { ChatParameters } from '../../../core/conversation/chatParameters';
import { type OfferedTool, type ToolChoice, type ToolDefinition, mostTools } from '../../../core/conversation/tools';
import type { JsonFile } from '../../../core/storage/storedFile';
import type {
  OwnToolForm,
  OwnToolIssue,
  ToolChoiceForm,
  ToolGroup,
  ToolRow,
  ToolsState,
  toolCalls,
} from '../../../protocol/chatTools';
import type { EditorTool, EditorTools } from './toolAccess';
import type { HandlersOf } from '../../../protocol/call';
import type { ChatSession } from '../chatSession';

/** The user's own tool definitions, stored beside the conversations and shared by all of them. */
export interface OwnToolFile {
  readonly tools: readonly ToolDefinition[];
}

const shape = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.exactOptional(z.string()),
      input_schema: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** Returns `undefined` if the content is not valid. */
export function readOwnToolFile(raw: unknown): OwnToolFile | undefined {
  const read = shape.safeParse(raw);
  return read.success ? read.data : undefined;
}

/** The tools panel's messages, in the editor's display language. */
export interface ToolMessages {
  readonly ownGroup: string;
  readonly missingGroup: string;
  readonly restricted: () => string;
  readonly notTaken: (model: string) => string;
  readonly fault: (fault: OwnToolFault) => string;
  readonly tooMany: (limit: number) => Error;
  readonly toolGone: () => Error;
}

/** A conversation's settings about tools. */
export interface ToolsSet {
  readonly parameters: ChatParameters;
  readonly allowed: ReadonlySet<string>;
  /** Whether tool calls don't work with the model. */
  readonly isRefused: boolean;
}

/** The available tools, and the user's own definitions, which all conversations share. */
export interface ToolSettings {
  describe(set: ToolsSet, model: string): Promise<ToolsState>;
  /** Returns the parameters with these tools offered or not. Throws if a request cannot offer that many or a tool is missing. */
  offer(parameters: ChatParameters, ids: readonly string[], offered: boolean): Promise<ChatParameters>;
  choose(parameters: ChatParameters, form: ToolsState['choice']): ChatParameters;
  check(form: OwnToolForm, replaces: string | undefined): Promise<readonly OwnToolIssue[]>;
  /** Saves the definition unless there are issues. */
  save(
    form: OwnToolForm,
    replaces: string | undefined,
  ): Promise<{ readonly issues: readonly OwnToolIssue[]; readonly tool?: ToolDefinition }>;
  delete(name: string): Promise<void>;
}

export function createToolSettings(file: JsonFile<OwnToolFile>, tools: EditorTools, words: ToolMessages): ToolSettings {
  // Read each time, because another window may have written it.
  const own = async () => (await file.read())?.tools ?? [];
  const read = async (form: OwnToolForm, replaces: string | undefined) => {
    const others = (await own()).filter(({ name }) => name !== replaces).map(({ name }) => name);
    const { tool, faults } = readOwnTool(form, new Set(others));
    return { tool, issues: faults.map((fault) => toIssue(fault, form, words)) };
  };
  return {
    async describe({ parameters, allowed, isRefused }, model) {
      const offered = parameters.tools ?? [];
      const editorTools = tools.list();
      const groups = [
        ownGroup(await own(), offered, words),
        ...editorGroups(editorTools, offered, allowed),
        goneGroup(editorTools, offered, words),
      ].filter((group) => group.tools.length > 0);
      const isThere = (tool: OfferedTool) =>
        tool.source === 'own' || editorTools.some(({ name }) => name === tool.name);
      return {
        groups,
        offered: offered.filter(isThere).length,
        limit: mostTools,
        choice: toChoiceForm(parameters),
        ...(tools.mayRun ? {} : { notRun: words.restricted() }),
        ...(isRefused ? { notTaken: words.notTaken(model) } : {}),
      };
    },
    async offer(parameters, ids, isOffered) {
      const library = (await own()).map((tool) => ({ source: 'own' as const, ...tool }));
      const registered = tools.list().map(({ name }) => ({ source: 'editor' as const, name }));
      return offering(parameters, { ids, isOffered, there: [...library, ...registered] }, words);
    },
    choose(parameters, form) {
      const { tool_choice: _before, ...rest } = parameters;
      const choice = choiceOf(form, parameters.tools ?? []);
      if (form.type === 'tool' && !choice) throw words.toolGone();
      return { ...rest, ...(choice ? { tool_choice: choice } : {}) };
    },
    check: async (form, replaces) => (await read(form, replaces)).issues,
    async save(form, replaces) {
      const { tool, issues } = await read(form, replaces);
      if (!tool) return { issues };
      const saved = (await own()).filter(({ name }) => name !== replaces && name !== tool.name);
      await file.write({ tools: [...saved, tool].toSorted((a, b) => a.name.localeCompare(b.name)) });
      return { issues, tool };
    },
    async delete(name) {
      await file.write({ tools: (await own()).filter((tool) => tool.name !== name) });
    },
  };
}

interface Offering {
  readonly ids: readonly string[];
  readonly isOffered: boolean;
  /** The available tools besides those the conversation has. */
  readonly there: readonly OfferedTool[];
}

function offering(
  parameters: ChatParameters,
  { ids, isOffered, there }: Offering,
  words: ToolMessages,
): ChatParameters {
  const before = parameters.tools ?? [];
  const others = before.filter((tool) => !ids.includes(toolId(tool)));
  if (!isOffered) return withTools(parameters, others);
  const known = [...before, ...there];
  const added = [...new Set(ids)].map((id) => known.find((tool) => toolId(tool) === id));
  if (added.includes(undefined)) throw words.toolGone();
  const all = [...others, ...added.filter((tool) => tool !== undefined)];
  if (all.length > mostTools) throw words.tooMany(mostTools);
  return withTools(parameters, all);
}

/** An empty list is not stored, like any parameter that is not set. */
export function withTools({ tools: _before, ...rest }: ChatParameters, tools: readonly OfferedTool[]): ChatParameters {
  return tools.length > 0 ? { ...rest, tools } : rest;
}

function toIssue(fault: OwnToolFault, form: OwnToolForm, words: ToolMessages): OwnToolIssue {
  const text = words.fault(fault);
  if (!('offset' in fault)) return { field: 'name', text };
  return { field: 'schema', text, offset: fault.offset, ...placeIn(form.schema, fault.offset) };
}

/** The library, and the definitions that only this conversation has. */
function ownGroup(library: readonly ToolDefinition[], offered: readonly OfferedTool[], words: ToolMessages): ToolGroup {
  const own = offered.flatMap((tool) => (tool.source === 'own' ? [tool] : []));
  const others = library.filter(({ name }) => !own.some((tool) => tool.name === name));
  const rows = [...own.map((tool) => ownRow(tool, true)), ...others.map((tool) => ownRow(tool, false))];
  return {
    id: 'own',
    kind: 'own',
    label: words.ownGroup,
    tools: rows.toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

function ownRow({ name, description = '', input_schema }: ToolDefinition, offered: boolean): ToolRow {
  const schema = JSON.stringify(input_schema, undefined, 2);
  const id = toolId({ source: 'own', name });
  return { id, name, label: name, description, schema, offered, allowedAlways: false };
}

/** Sorted by how likely users look for them. */
const kinds: readonly EditorTool['group']['kind'][] = ['desk', 'mcp', 'extension', 'editor'];

function editorGroups(
  editorTools: readonly EditorTool[],
  offered: readonly OfferedTool[],
  allowed: ReadonlySet<string>,
): readonly ToolGroup[] {
  const isOffered = new Set(offered.filter(({ source }) => source === 'editor').map(({ name }) => name));
  const groups = new Map<string, EditorTool['group'] & { readonly tools: ToolRow[] }>();
  for (const { name, label, description = '', input_schema, group } of editorTools) {
    const rows = groups.get(group.id) ?? { ...group, tools: [] };
    groups.set(group.id, rows);
    rows.tools.push({
      id: toolId({ source: 'editor', name }),
      name,
      label,
      description,
      schema: JSON.stringify(input_schema, undefined, 2),
      offered: isOffered.has(name),
      allowedAlways: allowed.has(name),
    });
  }
  return [...groups.values()]
    .map((group) => ({ ...group, tools: group.tools.toSorted((a, b) => a.label.localeCompare(b.label)) }))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.label.localeCompare(b.label));
}

function goneGroup(
  editorTools: readonly EditorTool[],
  offered: readonly OfferedTool[],
  words: ToolMessages,
): ToolGroup {
  const there = new Set(editorTools.map(({ name }) => name));
  const gone = offered.filter(({ source, name }) => source === 'editor' && !there.has(name));
  const rows = gone.map(({ name }) => ({
    id: toolId({ source: 'editor', name }),
    name,
    label: name,
    description: '',
    schema: '',
    offered: true,
    allowedAlways: false,
  }));
  return { id: 'gone', kind: 'gone', label: words.missingGroup, tools: rows };
}

/** Returns the page's id for a tool. */
function toolId({ source, name }: Pick<OfferedTool, 'source' | 'name'>): string {
  return `${source}:${name}`;
}

/** Converts a choice to its wire format; `undefined` for none, and for a tool that is not offered. */
function choiceOf({ type, tool, single }: ToolChoiceForm, offered: readonly OfferedTool[]): ToolChoice | undefined {
  const once = single ? { disable_parallel_tool_use: true } : {};
  if (type === 'none') return { type };
  if (type === 'unset') return single ? { type: 'auto', ...once } : undefined;
  if (type !== 'tool') return { type, ...once };
  const name = offered.find((one) => toolId(one) === tool)?.name;
  return name === undefined ? undefined : { type, name, ...once };
}

function toChoiceForm({ tool_choice: choice, tools = [] }: ChatParameters): ToolChoiceForm {
  if (!choice) return { type: 'unset', single: false };
  if (choice.type === 'none') return { type: 'none', single: false };
  const single = choice.disable_parallel_tool_use ?? false;
  if (choice.type !== 'tool') return { type: choice.type, single };
  const found = tools.find(({ name }) => name === choice.name);
  return { type: 'tool', ...(found ? { tool: toolId(found) } : {}), single };
}

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
