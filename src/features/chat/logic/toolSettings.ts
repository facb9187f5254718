import * as l10n from '@vscode/l10n';
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
import { numberText } from '../../../platform/displayText';
import { jsonSyntaxWords } from '../../../platform/errors/jsonSyntaxMessages';
import { UserError } from '../../../platform/errors/userError';
import type { EditorTool, EditorTools } from './toolAccess';
import type { HandlersOf } from '../../../protocol/call';
import type { ChatSession } from './chatSession';

/** The user's own tool definitions, stored next to the conversations and shared by all of them. */
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

export function createToolSettings(file: JsonFile<OwnToolFile>, tools: EditorTools, language: string): ToolSettings {
  // Read each time, because another window may have written it.
  const own = async () => (await file.read())?.tools ?? [];
  const read = async (form: OwnToolForm, replaces: string | undefined) => {
    const others = (await own()).filter(({ name }) => name !== replaces).map(({ name }) => name);
    const { tool, faults } = readOwnTool(form, new Set(others));
    return { tool, issues: faults.map((fault) => toIssue(fault, form)) };
  };
  return {
    async describe({ parameters, allowed, isRefused }, model) {
      const offered = parameters.tools ?? [];
      const editorTools = tools.list();
      const groups = [
        ownGroup(await own(), offered),
        ...editorGroups(editorTools, offered, allowed),
        goneGroup(editorTools, offered),
      ].filter((group) => group.tools.length > 0);
      const isThere = (tool: OfferedTool) =>
        tool.source === 'own' || editorTools.some(({ name }) => name === tool.name);
      return {
        groups,
        offered: offered.filter(isThere).length,
        limit: mostTools,
        choice: toChoiceForm(parameters),
        ...(tools.mayRun ? {} : { notRun: l10n.t('Trust the workspace to use VS Code tools.') }),
        ...(isRefused ? { notTaken: notTakenText(model) } : {}),
      };
    },
    async offer(parameters, ids, isOffered) {
      const library = (await own()).map((tool) => ({ source: 'own' as const, ...tool }));
      const registered = tools.list().map(({ name }) => ({ source: 'editor' as const, name }));
      return offering(parameters, { ids, isOffered, there: [...library, ...registered] }, language);
    },
    choose(parameters, form) {
      const { tool_choice: _before, ...rest } = parameters;
      const choice = choiceOf(form, parameters.tools ?? []);
      if (form.type === 'tool' && !choice) throw toolGone();
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

function offering(parameters: ChatParameters, { ids, isOffered, there }: Offering, language: string): ChatParameters {
  const before = parameters.tools ?? [];
  const others = before.filter((tool) => !ids.includes(toolId(tool)));
  if (!isOffered) return withTools(parameters, others);
  const known = [...before, ...there];
  const added = [...new Set(ids)].map((id) => known.find((tool) => toolId(tool) === id));
  if (added.includes(undefined)) throw toolGone();
  const all = [...others, ...added.filter((tool) => tool !== undefined)];
  if (all.length > mostTools) throw tooMany(mostTools, language);
  return withTools(parameters, all);
}

/** An empty list is not stored, like any parameter that is not set. */
export function withTools({ tools: _before, ...rest }: ChatParameters, tools: readonly OfferedTool[]): ChatParameters {
  return tools.length > 0 ? { ...rest, tools } : rest;
}

function toIssue(fault: OwnToolFault, form: OwnToolForm): OwnToolIssue {
  const text = faultText(fault);
  if (!('offset' in fault)) return { field: 'name', text };
  return { field: 'schema', text, offset: fault.offset, ...placeIn(form.schema, fault.offset) };
}

/** The library, and the definitions that only this conversation has. */
function ownGroup(library: readonly ToolDefinition[], offered: readonly OfferedTool[]): ToolGroup {
  const own = offered.flatMap((tool) => (tool.source === 'own' ? [tool] : []));
  const others = library.filter(({ name }) => !own.some((tool) => tool.name === name));
  const rows = [...own.map((tool) => ownRow(tool, true)), ...others.map((tool) => ownRow(tool, false))];
  return {
    id: 'own',
    kind: 'own',
    label: l10n.t('Your tools'),
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

function goneGroup(editorTools: readonly EditorTool[], offered: readonly OfferedTool[]): ToolGroup {
  const there = new Set(editorTools.map(({ name }) => name));
  const missing = offered.filter(({ source, name }) => source === 'editor' && !there.has(name));
  const rows = missing.map(({ name }) => ({
    id: toolId({ source: 'editor', name }),
    name,
    label: name,
    description: '',
    schema: '',
    offered: true,
    allowedAlways: false,
  }));
  return { id: 'gone', kind: 'gone', label: l10n.t('Unavailable (not sent)'), tools: rows };
}

/** Returns the page's id for a tool. */
function toolId({ source, name }: { readonly source: OfferedTool['source']; readonly name: string }): string {
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

function notTakenText(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1) || model;
  return l10n.t("{0} doesn't support tool calls, so no tools are sent.", name);
}

function tooMany(limit: number, language: string): UserError {
  return new UserError(
    l10n.t('Too many tools'),
    l10n.t('Deselect some first. The limit is {0}.', numberText(limit, language)),
  );
}

function toolGone(): UserError {
  return new UserError(l10n.t("This tool isn't available"), l10n.t("The tool's extension or server isn't running."));
}

function faultText(fault: OwnToolFault): string {
  switch (fault.code) {
    case 'name.empty':
      return l10n.t('Enter the name that the model uses to call the tool.');
    case 'name.pattern':
      return l10n.t('Use up to 64 letters, digits, hyphens, and underscores.');
    case 'name.taken':
      return l10n.t('Another of your tools has this name.');
    case 'schema.syntax':
      return jsonSyntaxWords(fault.what);
    case 'schema.notObject':
      return l10n.t('Enter a JSON object, such as {0}.', '{}');
    case 'schema.typeNotObject':
      return l10n.t('The schema must be an object. Add "type": "object".');
    case 'schema.typeUnknown':
      return l10n.t('Use "string", "number", "integer", "boolean", "object", "array", or "null".');
    case 'schema.propertiesNotObject':
      return l10n.t('"properties" must map names to schemas.');
    case 'schema.notSchema':
      return l10n.t('A schema must be an object, true, or false.');
    case 'schema.requiredNotNames':
      return l10n.t('"required" must be an array of names.');
    case 'schema.requiredUnknown':
      return l10n.t('"{0}" is required but missing from "properties".', fault.what);
    case 'schema.enumNotList':
      return l10n.t('"enum" must be an array of values.');
  }
}
