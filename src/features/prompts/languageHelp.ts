import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { defaultMaxTokens } from '../../core/api/messages/messages.bounds';
import type { OwnBounds } from '../../core/api/bounds';
import { acceptedAt } from '../../core/parameters/parameterTable';
import { parameterTexts } from '../../core/parameters/parameterTexts';
import { modelsForJob } from '../../core/catalogue/jobs';
import { cursorAt } from '../../core/prompts/cursor';
import type { PromptCursor } from '../../core/prompts/cursor';
import { yamlText } from '../../core/prompts/quickFixes';
import { providedNames, promptKeys, promptParameters, variableKeys } from '../../core/prompts/prompt';
import type { Prompt, PromptParameter, ProvidedName, PromptKey, PromptVariable } from '../../core/prompts/prompt';
import { keySnippets } from '../../core/prompts/snippets';
import { sortText } from '../../platform/sortText';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { folderItems } from '../../platform/workspace/folderItems';
import type { FolderName } from '../../platform/workspace/folderItems';
import { markdown, completionItem } from '../../platform/notify';
import { rangeOf } from './promptFiles';
import type { PromptReadings } from './promptFiles';
import type { CatalogueModel } from '../../core/catalogue/model';
import { modelFacts } from '../../services/models/modelFacts';
import { numberFormat, listText } from '../../protocol/formats';

export const completionTriggers = ['{', ':', ' ', '[', ',', '\n'];

/** `catalogue` waits for the service only if nothing is known yet. */
export function createPromptCompletion(
  readings: PromptReadings,
  catalogue: () => Promise<CatalogueState>,
): vscode.CompletionItemProvider {
  return {
    async provideCompletionItems(document, position, token, { triggerCharacter }) {
      const cursor = cursorAt(document.getText(), document.offsetAt(position));
      const { prompt } = readings.of(document);
      if (cursor.kind === 'text') {
        const isOffered = triggerCharacter === undefined || triggerCharacter === '{';
        return isOffered ? [...folderItems(document, position, placeNames(prompt))] : [];
      }
      if (triggerCharacter === '{') return [];
      if (cursor.kind === 'key') return keyItems(document, cursor, readings.own);
      // The range at the time of the request. VS Code itself accounts for later typing.
      const range = rangeOf(document, cursor.span);
      const before = range.with(range.start.translate(0, -Math.min(1, range.start.character)), range.start);
      const isTight = document.getText(before) === ':';
      const values = await valuesFor(cursor.path, prompt, catalogue);
      if (token.isCancellationRequested) return [];
      return values.map((value, index) => valueItem(value, index, { range, isTight }));
    },
  };
}

function placeNames({ variables }: Prompt): readonly FolderName[] {
  const own = variables.map((variable) => ({
    name: variable.name,
    detail: l10n.t('Variable'),
    documentation: markdown`${variableText(variable)}`,
  }));
  const provided = providedNames
    .filter((name) => !variables.some((variable) => variable.name === name))
    .map((name) => ({
      name,
      detail: l10n.t('From the editor'),
      documentation: markdown`${providedDescriptions[name]()}`,
    }));
  return [...own, ...provided];
}

const asksOn: readonly string[] = ['model', 'models', 'parameters', 'max_tokens', 'enable_thinking', 'default'];

interface OfferedKey {
  readonly name: string;
  readonly snippet: string;
  readonly about: string;
}

function keyItems(
  document: vscode.TextDocument,
  { path, others, span, isKey }: Extract<PromptCursor, { kind: 'key' }>,
  own: OwnBounds,
): vscode.CompletionItem[] {
  return keysUnder(path, own)
    .filter(({ name }) => !others.includes(name))
    .map(({ name, snippet, about }, index) => {
      const item = completionItem(name, vscode.CompletionItemKind.Property);
      item.range = rangeOf(document, span);
      item.insertText = isKey ? name : new vscode.SnippetString(snippet);
      item.sortText = sortText(index);
      item.documentation = markdown`${about}`;
      if (!isKey && asksOn.includes(name)) item.command = { title: '', command: 'editor.action.triggerSuggest' };
      return item;
    });
}

function keysUnder(path: readonly string[], own: OwnBounds): readonly OfferedKey[] {
  const [first] = path;
  if (first === undefined) {
    return promptKeys.map((name) => ({ name, snippet: keySnippets[name], about: keyDescriptions[name]() }));
  }
  if (first === 'parameters' && path.length === 1) {
    return promptParameters.map((name) => ({ name, snippet: snippetOf(name), about: parameterText(name, own) }));
  }
  if (first === 'variables' && path.length === 2) {
    return variableKeys.map((name) => ({
      name,
      snippet: name === 'options' ? 'options: [$0]' : `${name}: `,
      about: variableKeyDescriptions[name](),
    }));
  }
  return [];
}

function snippetOf(name: PromptParameter): string {
  return name === 'stop_sequences' ? 'stop_sequences: ["$0"]' : `${name}: `;
}

function parameterText(name: PromptParameter, own: OwnBounds): string {
  const bounds = boundsText(name, own);
  return bounds === undefined ? parameterTexts[name]() : `${parameterTexts[name]()}\n\n${bounds}`;
}

async function valuesFor(
  path: readonly string[],
  { model, models, variables }: Prompt,
  catalogue: () => Promise<CatalogueState>,
): Promise<readonly string[]> {
  const [first, second = '', third] = path;
  if (path.length === 1 && (first === 'model' || first === 'models')) {
    const { models: listed, pins } = await catalogue();
    return modelsForJob('chat', listed, pins).map(({ id }) => id);
  }
  if (first === 'parameters' && second === 'max_tokens') {
    return [String(defaultMaxTokens((model ?? models[0])?.id ?? ''))];
  }
  if (first === 'parameters' && second === 'enable_thinking') return ['true', 'false'];
  if (first === 'variables' && third === 'default') {
    return (variables.find(({ name }) => name === second)?.options ?? []).map(yamlText);
  }
  return [];
}

function valueItem(
  value: string,
  index: number,
  { range, isTight }: { readonly range: vscode.Range; readonly isTight: boolean },
): vscode.CompletionItem {
  const item = completionItem(value, vscode.CompletionItemKind.Value);
  item.range = range;
  item.insertText = isTight ? ` ${value}` : value;
  item.sortText = sortText(index);
  return item;
}

export function createPromptHover(
  readings: PromptReadings,
  models: () => readonly CatalogueModel[],
): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const offset = document.offsetAt(position);
      const { prompt } = readings.of(document);
      const isIn = ({ start, end }: { readonly start: number; readonly end: number }) =>
        start <= offset && offset < end;
      const place = prompt.places.find(({ span }) => isIn(span));
      const variable = prompt.variables.find(({ name, span }) => (place ? place.name === name : isIn(span)));
      if (variable) return about(variable.name, variableText(variable), rangeOf(document, (place ?? variable).span));
      if (place) {
        const provided = providedNames.find((name) => name === place.name);
        const words = provided ? providedDescriptions[provided]() : variableText({ options: [] });
        return about(place.name, words, rangeOf(document, place.span));
      }
      const model = [...(prompt.model ? [prompt.model] : []), ...prompt.models].find(({ span }) => isIn(span));
      if (model) return new vscode.Hover([...modelFacts(model.id, models())], rangeOf(document, model.span));
      return keyHover(document, position, readings.own);
    },
  };
}

function keyHover(document: vscode.TextDocument, { line }: vscode.Position, own: OwnBounds): vscode.Hover | undefined {
  const word = /^(\s*)([\w-]+)(?=:)/.exec(document.lineAt(line).text);
  if (!word) return undefined;
  const [, indent = '', name = ''] = word;
  const range = new vscode.Range(line, indent.length, line, indent.length + name.length);
  const cursor = cursorAt(document.getText(), document.offsetAt(range.start));
  if (cursor.kind !== 'key') return undefined;
  const words = wordsOf(name, cursor.path, own);
  return words === undefined ? undefined : about(name, words, range);
}

function wordsOf(name: string, path: readonly string[], own: OwnBounds): string | undefined {
  const [first] = path;
  if (first === undefined) {
    const key = promptKeys.find((other) => other === name);
    return key && keyDescriptions[key]();
  }
  if (first === 'parameters') {
    const parameter = promptParameters.find((other) => other === name);
    return parameter && parameterText(parameter, own);
  }
  const key = path.length === 2 && first === 'variables' ? variableKeys.find((other) => other === name) : undefined;
  return key && variableKeyDescriptions[key]();
}

function about(name: string, words: string, range: vscode.Range): vscode.Hover {
  return new vscode.Hover(markdown`**${name}**\n\n${words}`, range);
}

type Words<Name extends string> = { readonly [Key in Name]: () => string };

/** The purposes of the front matter keys. */
const keyDescriptions: Words<PromptKey> = {
  description: () => l10n.t('Purpose of the prompt, shown in lists.'),
  model: () => l10n.t('Model. Defaults to your chat model.'),
  models: () => l10n.t('Two to four models to compare.'),
  parameters: () => l10n.t("Request parameters. Parameters that you don't set aren't sent."),
  system: () => l10n.t('System prompt. Supports variables.'),
  variables: () => l10n.t('Variables such as {{name}}. Set a value or choices, or leave empty to be prompted.'),
};

const variableKeyDescriptions: Words<(typeof variableKeys)[number]> = {
  description: () => l10n.t("Shown when you're prompted for the value."),
  default: () => l10n.t('Default value.'),
  options: () => l10n.t('Values to choose from.'),
};

/** The values that VS Code provides. */
const providedDescriptions: Words<ProvidedName> = {
  selection: () => l10n.t('Selection of the last active editor.'),
  file: () => l10n.t('Path and text of the last active editor.'),
  path: () => l10n.t('Path of the last active editor.'),
  language: () => l10n.t('Language of the last active editor, such as typescript.'),
};

/** Returns the range of a number, such as "0 to 2"; `undefined` if it has none. */
function boundsText(name: PromptParameter, own: OwnBounds): string | undefined {
  const { min, max, advised } = acceptedAt('chat', name, own);
  const number = numberFormat(vscode.env.language);
  const [from, to] = [advised?.min ?? min, advised?.max ?? max];
  if (from === undefined) return undefined;
  return to === undefined
    ? l10n.t('From {0}', number.format(from))
    : l10n.t('{0} to {1}', number.format(from), number.format(to));
}

/** Describes a variable: its purpose, and its default value. */
function variableText({ description, default: usual, options }: Omit<PromptVariable, 'name' | 'span'>): string {
  const parts = [
    description,
    options.length > 0 ? l10n.t('One of {0}.', listText(options, env.language)) : undefined,
    usual === undefined ? l10n.t("You'll be prompted for the value.") : l10n.t('Defaults to {0}', usual),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}
