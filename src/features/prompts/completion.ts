import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { defaultMaxTokens } from '../../core/api/messages/messages.bounds';
import { modelsForJob } from '../../core/catalogue/jobs';
import { parameterTexts } from '../../core/parameters/parameterTexts';
import { cursorAt } from '../../core/prompts/cursor';
import type { PromptCursor } from '../../core/prompts/cursor';
import { yamlText } from '../../core/prompts/quickFixes';
import { providedNames, promptKeys, promptParameters, variableKeys } from '../../core/prompts/prompt';
import type { Prompt, PromptParameter } from '../../core/prompts/prompt';
import { keySnippets } from '../../core/prompts/snippets';
import { sortText } from '../../platform/sortText';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { folderItems } from '../../platform/workspace/folderItems';
import type { FolderName } from '../../platform/workspace/folderItems';
import { markdown, completionItem } from '../../platform/notify';
import { rangeOf } from './promptFiles';
import type { PromptReadings } from './promptFiles';
import { boundsText, providedText, keyWords, variableWords } from './promptWords';
import { variableText } from './variableText';

export const completionTriggers = ['{', ':', ' ', '[', ',', '\n'];

interface CompletionOptions {
  readonly readings: PromptReadings;
  /** Waits for the service only if nothing is known yet. */
  readonly catalogue: () => Promise<CatalogueState>;
}

export function createPromptCompletion({ readings, catalogue }: CompletionOptions): vscode.CompletionItemProvider {
  return {
    async provideCompletionItems(document, position, token, { triggerCharacter }) {
      const cursor = cursorAt(document.getText(), document.offsetAt(position));
      const { prompt } = readings.of(document);
      if (cursor.kind === 'text') {
        const isWanted = triggerCharacter === undefined || triggerCharacter === '{';
        return isWanted ? [...folderItems(document, position, placeNames(prompt))] : [];
      }
      if (triggerCharacter === '{') return [];
      if (cursor.kind === 'key') return keyItems(document, cursor);
      // The range at the time of the request: the editor itself accounts for what is typed meanwhile.
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
  const given = providedNames
    .filter((name) => !variables.some((variable) => variable.name === name))
    .map((name) => ({
      name,
      detail: l10n.t('From the editor'),
      documentation: markdown`${providedText[name]()}`,
    }));
  return [...own, ...given];
}

const asksOn: readonly string[] = ['model', 'models', 'parameters', 'max_tokens', 'default'];

interface OfferedKey {
  readonly name: string;
  readonly snippet: string;
  readonly about: string;
}

function keyItems(
  document: vscode.TextDocument,
  { path, others, span, isKey }: Extract<PromptCursor, { kind: 'key' }>,
): vscode.CompletionItem[] {
  return keysUnder(path)
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

function keysUnder(path: readonly string[]): readonly OfferedKey[] {
  const [first] = path;
  if (first === undefined) {
    return promptKeys.map((name) => ({ name, snippet: keySnippets[name], about: keyWords[name]() }));
  }
  if (first === 'parameters' && path.length === 1) {
    return promptParameters.map((name) => ({ name, snippet: snippetOf(name), about: parameterText(name) }));
  }
  if (first === 'variables' && path.length === 2) {
    return variableKeys.map((name) => ({
      name,
      snippet: name === 'options' ? 'options: [$0]' : `${name}: `,
      about: variableWords[name](),
    }));
  }
  return [];
}

function snippetOf(name: PromptParameter): string {
  return name === 'stop_sequences' ? 'stop_sequences: ["$0"]' : `${name}: `;
}

export function parameterText(name: PromptParameter): string {
  const bounds = boundsText(name, vscode.env.language);
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
